/** A server's output, as far as it is kept. */
import { describe, expect, it } from 'vitest';
import { createServerOutput } from '../../../electron/core/servers/connection/server-output.ts';

const maxRead = 16_000;

describe('A very long line', () => {
  it.each(['stderr', 'stray'] as const)('is read only at its beginning (%s)', (stream) => {
    const read: string[] = [];
    const output = createServerOutput({
      redact(text) {
        read.push(text);
        return text;
      },
      onStray: (message) => read.push(message),
      log: (_kind, line) => read.push(line),
    });
    output[stream](Buffer.from(`The reason. ${'sk-'.repeat(1_000_000)}`));
    output.close();
    expect(read.length).toBeGreaterThan(0);
    for (const text of read) {
      expect(text).toContain('The reason.');
      expect(text.length).toBeLessThanOrEqual(maxRead);
    }
  });
});
