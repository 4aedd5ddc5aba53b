/** Messages in the log with text from servers and clients. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLog } from '../../../electron/host/log.ts';

function written(message: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  openLog(folder, {})('warn', message);
  return readFileSync(join(folder, 'toolkeep.log'), 'utf8');
}

describe('A message in the log', () => {
  it.each(['\n', '\r\n', '\u2028', '\u0085'])('cannot imitate another line with %j', (lineBreak) => {
    const log = written(`failed${lineBreak}2026-01-01T00:00:00.000Z info all is well`);
    expect(log.trimEnd().split(/[\r\n\u0085\u2028]/)).toHaveLength(1);
    expect(log).toContain('failed ⏎ 2026');
  });

  it('cannot control the terminal that shows it', () => {
    const log = written('\u001b]0;title\u0007\u001b[2J\u202etxt');
    expect(log).toContain('\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{202e}txt');
    expect(log.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('is shortened', () => {
    expect(written('x'.repeat(10_000_000)).length).toBeLessThan(11_000);
  });
});
