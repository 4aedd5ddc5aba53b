/** Puts one file of the corpus where its client keeps it, plans the import, and writes down what came of it. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planImport } from '../../electron/core/import/import.ts';
import type { ImportEntry } from '../../shared/model.ts';
import { testHost } from '../fixtures/host.ts';

export const corpusFolder = join(import.meta.dirname, 'corpus');

export interface CorpusCase {
  /** In the corpus folder. */
  file: string;
  /** Where it lies in the home folder; `CWD/…` for project files. */
  at: string;
  platform?: 'darwin' | 'linux' | 'win32';
  env?: Record<string, string>;
  /** More files, by their place. */
  also?: Record<string, string>;
  /** The address under which Gatehouse runs. */
  running?: string;
  /** One text per server: `name: what it is`, then indented notes. */
  yields: string[];
  problems: string[];
}

/** The outcome, with the temp folders written as `~` and `CWD`. */
export async function runCase(
  row: Omit<CorpusCase, 'yields' | 'problems'>,
): Promise<Pick<CorpusCase, 'yields' | 'problems'>> {
  const host = testHost({ platform: row.platform ?? 'linux' });
  try {
    const inHome = (path: string) =>
      path.startsWith('CWD/') ? join(host.cwd, path.slice(4)) : join(host.homeDir, path.replace(/^~\//, ''));
    for (const [file, at] of [[row.file, row.at] as const, ...Object.entries(row.also ?? {})]) {
      mkdirSync(dirname(inHome(at)), { recursive: true });
      copyFileSync(join(corpusFolder, file), inHome(at));
    }
    if (row.running) {
      mkdirSync(join(host.dataDir, 'run'));
      writeFileSync(join(host.dataDir, 'run', 'core.json'), JSON.stringify({ httpUrl: row.running }));
    }
    // The programs that the corpus takes for granted, so that the outcome does not depend on the machine.
    const bin = join(host.homeDir, 'bin');
    mkdirSync(bin);
    for (const program of ['npx', 'npx.cmd', 'node', 'uvx', 'docker']) {
      writeFileSync(join(bin, program), '#!/bin/sh\n');
      chmodSync(join(bin, program), 0o755);
    }
    const env = { PATH: bin, ...Object.fromEntries(Object.entries(row.env ?? {}).map(([k, v]) => [k, inHome(v)])) };
    const plan = await planImport({ ...host, env }, { known: [] });
    const short = (text: string) => text.replaceAll(host.homeDir, '~').replaceAll(host.cwd, 'CWD');
    return {
      yields: plan.entries.map((entry) => short(written(entry))),
      problems: plan.files.flatMap(({ problems }) => problems.map(({ message }) => short(message))),
    };
  } finally {
    host.dispose();
  }
}

function written({ server, state, origins, notes }: ImportEntry): string {
  const { connection, enabled, lifecycle, description } = server;
  const record = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const what =
    connection.type === 'stdio'
      ? [
          JSON.stringify([connection.command, ...connection.args]),
          ...record(connection.env),
          ...(connection.cwd === undefined ? [] : [`in ${connection.cwd}`]),
          ...(connection.envFile === undefined ? [] : [`with ${connection.envFile}`]),
        ]
      : [
          ...[connection.type, connection.url, ...record(connection.headers)],
          ...(connection.oauth ? [`oauth ${JSON.stringify(connection.oauth)}`] : []),
        ];
  const marks = [
    ...(state === 'new' ? [] : [state]),
    ...(enabled || state === 'unusable' ? [] : ['off']),
    ...(lifecycle?.timeoutMs === undefined ? [] : [`${lifecycle.timeoutMs} ms`]),
    ...(description === undefined ? [] : [`"${description}"`]),
    ...(origins.length === 1 ? [] : [`${origins.length} origins`]),
  ];
  const head = `${origins[0]?.source} ${server.name}: ${state === 'unusable' ? '' : what.join(' ')}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  return [head, ...notes.map((note) => `  ${note}`)].join('\n');
}
