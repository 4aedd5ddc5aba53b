/** An update of a NuGet package is rehearsed with the user's own package sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { startNuget } from '../../fixtures/package-registries.ts';
import { registryItem, startRegistry } from '../../fixtures/registry.ts';

/** A `dnx` that runs a server instead of a package. The description of its tool contains the NuGet.Config that it found. */
const program = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
const { APPDATA, HOME } = process.env;
const file = join(APPDATA ? join(APPDATA, 'NuGet') : join(HOME, '.nuget', 'NuGet'), 'NuGet.Config');
const [name] = process.argv.slice(2);
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name, version: '1' } },
  'tools/list': {
    tools: [{ name: name.replace(/\\W/g, '_'), description: readFileSync(file, 'utf8') + readFileSync('nuget.config', 'utf8'), inputSchema: { type: 'object' } }],
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const outcome = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) + '\\n');
});
`;

function writeDnx(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dnx.mjs'), program);
  if (process.platform === 'win32') writeFileSync(join(folder, 'dnx.cmd'), '@node "%~dp0dnx.mjs" %*\r\n');
  else writeFileSync(join(folder, 'dnx'), '#!/bin/sh\nexec node "$(dirname "$0")/dnx.mjs" "$@"\n', { mode: 0o755 });
}

it.each([...new Set([process.platform, 'win32'] as const)])(
  'A rehearsal of a NuGet package on %s has the NuGet.Config of the user',
  async (platform) => {
    const [registry, nuget] = await Promise.all([startRegistry(), startNuget()]);
    onTestFinished(async () => void (await Promise.all([registry.close(), nuget.close()])));
    const root = testHost();
    onTestFinished(root.dispose);
    const roaming = join(root.homeDir, 'AppData', 'Roaming');
    const bin = join(root.homeDir, 'bin');
    writeDnx(bin);
    const config = `<configuration><packageSources><add key="own" value="${nuget.url}" /></packageSources></configuration>`;
    const file =
      platform === 'win32' ? join(roaming, 'NuGet/NuGet.Config') : join(root.homeDir, '.nuget/NuGet/NuGet.Config');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, config);
    writeFileSync(join(root.homeDir, 'nuget.config'), '<configuration/>');
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: root.homeDir };
    const host = testHost({
      ...{ homeDir: root.homeDir, platform },
      env: { ...env, ...(platform === 'win32' && { APPDATA: roaming }) },
    });
    onTestFinished(host.dispose);

    const { core } = await startCore([], { host, config: { registries: [{ name: 'test', url: registry.url }] } });
    const release = async (version: string) => {
      nuget.readmes.set(`acme.notes/${version}`, '<!-- mcp-name: io.github.acme/notes -->');
      const own = { registryType: 'nuget', identifier: 'Acme.Notes', version, transport: { type: 'stdio' } };
      const updatedAt = new Date(Date.now() + Number.parseInt(version, 10) * 60_000).toISOString();
      registry.items = [registryItem('io.github.acme/notes', { version, packages: [own] }, { updatedAt })];
      await core.handlers['registry.sync']({});
    };
    const choice = { registry: 'test', name: 'io.github.acme/notes', inputs: {} };
    await release('1.0.0');
    const { hash = '' } = await core.handlers['registry.plan']({ ...choice, check: true });
    const { server: replace } = await core.handlers['registry.install']({ ...choice, hash });
    await release('2.0.0');
    const update = { ...choice, replace };
    const planned = await core.handlers['registry.plan']({ ...update, check: true });
    const { tools, failure } = await core.handlers['registry.rehearse']({ ...update, hash: planned.hash ?? '' });
    expect(failure).toBeUndefined();
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'Acme_Notes_2_0_0', description: `${config}<configuration/>` }),
    );
  },
  60_000,
);
