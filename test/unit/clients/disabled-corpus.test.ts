/**
 * Tools that a user disabled stay disabled, in the sample files of all clients with such a setting added to each server.
 *
 * @module-tag exhaustive
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify as tomlText } from 'smol-toml';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify as yamlText } from 'yaml';
import { planImport, readSource } from '../../../electron/core/clients/import/import.ts';
import { knownClients } from '../../../electron/core/clients/known-clients.ts';
import { type Format, formatOfFile, parseText } from '../../../electron/core/files/document.ts';
import { compileRules } from '../../../electron/core/rules/rules.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type CorpusCase, corpusFolder } from '../../fixtures/corpus.ts';
import { testHost } from '../../fixtures/host.ts';

const cases = JSON.parse(readFileSync(join(corpusFolder, 'expected.json'), 'utf8')) as CorpusCase[];
/** Those that belong to the user on Linux and need no other file or variable. */
const usable = cases.filter(
  ({ platform, env, also, at, yields }) => !platform && !env && !also && !at.startsWith('CWD/') && yields.length > 0,
);
const writers: Record<Format, (value: unknown) => string> = {
  json: (value) => JSON.stringify(value),
  yaml: (value) => yamlText(value),
  toml: (value) => tomlText(value),
};

/** Adds the setting to every entry with a command or URL. Returns the number of entries. */
function disableIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + disableIn(inner), 0);
  if (!isObject(value)) return 0;
  const isEntry = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'].some((key) => value[key] !== undefined);
  if (!isEntry) return Object.values(value).reduce((sum: number, inner) => sum + disableIn(inner), 0);
  value.disabledTools = ['delete_file', 'rm_all'];
  return 1;
}

const isEnabled = ({ name, disabledTools = [] }: ServerConfig, tool: string) =>
  compileRules(disabledTools.map((pattern) => ({ server: name, pattern, enabled: false }))).decide({
    server: name,
    name: tool,
  }).enabled;

const seen = { files: 0, servers: 0, clients: new Set<string>() };

describe('The tools that are disabled in a sample file', () => {
  it.each(usable)('stay disabled: $file', async ({ file, at }) => {
    const [id = ''] = file.split('/');
    const format = formatOfFile(file);
    const { value } = parseText(readFileSync(join(corpusFolder, file), 'utf8'), format, file);
    if (disableIn(value) === 0) return;
    const host = testHost({ platform: 'linux' });
    onTestFinished(host.dispose);
    const path = join(host.homeDir, at);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, writers[format](value));
    const { entries } = await planImport(host, { sources: [id], known: [] });
    const live = await readSource(host, { type: id, path: '' });
    const servers = [...entries.filter(({ state }) => state === 'new').map(({ server }) => server), ...live.servers];
    for (const server of servers) {
      expect([server.name, isEnabled(server, 'delete_file'), isEnabled(server, 'rm_all')]).toEqual([
        server.name,
        false,
        false,
      ]);
    }
    if (servers.length === 0) return;
    seen.files += 1;
    seen.servers += servers.length;
    seen.clients.add(id);
  });

  afterAll(() => {
    expect(seen.files).toBeGreaterThanOrEqual(60);
    expect(seen.clients.size).toBeGreaterThanOrEqual(knownClients.length - 6);
  });
});
