/** A server that lists nothing has a warning, and Toolkeep asks it again at the refresh interval. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

/** `node server.mjs FILE` has a tool as soon as FILE exists. */
const source = `
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tool = { name: 'read_note', description: 'Reads a note.', inputSchema: { type: 'object' } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'late', version: '1' } }),
  'tools/list': () => ({ tools: existsSync(process.argv[2]) ? [tool] : [] }),
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined && results[method])
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) }) + '\\n');
  })
  .on('close', () => process.exit(0));
`;

it('A server without tools says so in its warnings, and is asked again although it is idle', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const script = join(host.homeDir, 'late.mjs');
  const ready = join(host.homeDir, 'ready');
  writeFileSync(script, source);
  const late = serverConfig(
    'late',
    { command: process.execPath, args: [script, ready] },
    { lifecycle: { idleTimeoutMs: 200 } },
  );
  const t = await startCore([late], { host, config: { refreshInterval: '300ms' } });
  const view = () => t.view('late');
  await expect.poll(() => view().warnings).toEqual(['The server lists no tools.']);
  expect(host.logged.map(({ message }) => message)).toContainEqual(expect.stringContaining('"late" lists no tools.'));
  await expect.poll(() => view().status).toBe('idle');
  writeFileSync(ready, '');
  await expect.poll(() => view().toolCount).toBe(1);
  expect(view().warnings).toEqual([]);
});
