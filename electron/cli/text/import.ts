/** Text output of `toolkeep import`. */
import type { ImportEntry, ImportPlan } from '../../../shared/model/import.ts';
import type { Connection, ServerView } from '../../../shared/model/server.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { count, type Style, safe } from '../terminal.ts';
import { tilde } from './config.ts';

const stateText: Record<ImportEntry['state'], string> = {
  new: '',
  known: ' (already in Toolkeep)',
  self: ' (Toolkeep itself)',
  unusable: ' (cannot be used)',
};

export function planText(plan: ImportPlan, style: Style): string {
  const files = plan.files
    .filter((file) => file.found || file.problems.length > 0)
    .map((file) => {
      const fine = file.problems.length === 0;
      const servers = file.found && fine ? `: ${count(file.serverCount, 'server')}` : '';
      const place = file.file ? ` (${safe(tilde(file.file))})` : '';
      const line = `${fine ? style.good('✓') : style.bad('✗')} ${safe(file.app)}${place}${servers}`;
      const details = file.problems.flatMap(({ message, hint }) => (hint ? [message, hint] : [message]));
      return [line, ...details.map((text) => `  ${safe(text)}`)].join('\n');
    });
  const missing = plan.files
    .filter((file) => !file.found && file.problems.length === 0)
    .map(({ app, source, file }) => (source === 'custom' ? `${app} (${tilde(file)})` : app));
  const entries = plan.entries.map(({ server, state, origins, picked, missing, notes }) => {
    const mark = state === 'new' && picked ? style.good('+') : style.dim('·');
    const from = [...new Set(origins.map(({ source }) => source))].join(', ');
    const reason = !server.enabled ? ' (disabled there)' : missing ? ' (will be disabled)' : '';
    const off = state === 'new' ? reason : '';
    const line = `${mark} ${style.bold(safe(server.name))}${stateText[state]}${off} ${style.dim(`from ${safe(from)}`)}`;
    const details = state === 'unusable' ? [] : connectionLines(server.connection);
    return [line, ...[...details, ...notes].map((text) => `    ${safe(text)}`)].join('\n');
  });
  return [
    files.length > 0 ? `Clients:\n${files.join('\n')}` : 'No client with MCP servers was found.',
    ...(missing.length > 0 ? [style.dim(`Not found: ${safe([...new Set(missing)].join(', '))}`)] : []),
    ...(entries.length > 0 ? [`Servers (${entries.length}):\n${entries.join('\n')}`] : []),
  ].join('\n\n');
}

/** Shows which program runs and which data leaves the machine: names in full, values redacted. */
function connectionLines(connection: Connection): string[] {
  if (connection.type !== 'stdio') {
    const headers = Object.keys(connection.headers);
    return [connection.url, ...(headers.length > 0 ? [`headers: ${headers.join(', ')}`] : [])];
  }
  const { command, args, env, cwd, envFile } = connection;
  const names = Object.keys(env);
  return [
    [command, ...args].map(shellWord).join(' '),
    ...(names.length > 0 ? [`environment: ${names.join(', ')}`] : []),
    ...(envFile ? [`environment file: ${tilde(envFile)}`] : []),
    ...(cwd ? [`folder: ${tilde(cwd)}`] : []),
  ];
}

/** Quotes an argument that a shell would split. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./${}~<>-]+$/.test(word) ? word : JSON.stringify(word);
}

export function resultText(
  { imported, moved, plain }: CommandOutput<'import.apply'>,
  picked: ImportEntry[],
  style: Style,
): string {
  const lines = [`${style.good('✓')} Imported ${count(imported.length, 'server')}.`];
  const missing = picked.filter((entry) => entry.missing !== undefined).map(({ server }) => server.name);
  if (missing.length > 0) {
    lines.push(
      `${style.warn('!')} Disabled until their program is installed: ${safe(missing.join(', '))}.`,
      `  Then run, for example, \`toolkeep override ${safe(missing[0] ?? '')} --enable\`.`,
    );
  }
  if (moved.length > 0) lines.push(`${style.good('✓')} Moved ${count(moved.length, 'secret')} to the vault.`);
  if (plain.length > 0) {
    lines.push(
      `${style.warn('!')} Still in plain text in Toolkeep's settings: ${safe(plain.join(', '))}. See \`toolkeep secrets list\`.`,
    );
  }
  return lines.join('\n');
}

/** The servers that undoing the last import removes. */
export function undoText(servers: ServerView[], style: Style): string {
  const lines = servers.map(({ id, target }) => `${style.bad('-')} ${style.bold(safe(id))}\n    ${safe(target)}`);
  return `Servers of the last import (${servers.length}):\n${lines.join('\n')}`;
}
