/** What an import would bring, for people. */
import type { CommandOutput } from '../../../shared/contract.ts';
import type { ImportEntry, ImportPlan } from '../../../shared/model.ts';
import { count, type Style, safe } from '../terminal.ts';
import { tilde } from './config.ts';

const stateText: Record<ImportEntry['state'], string> = {
  new: '',
  known: ' (already in Gatehouse)',
  self: ' (Gatehouse itself)',
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
      const words = file.problems.flatMap(({ message, hint }) => (hint ? [message, hint] : [message]));
      return [line, ...words.map((text) => `  ${safe(text)}`)].join('\n');
    });
  const missing = plan.files
    .filter((file) => !file.found && file.problems.length === 0)
    .map(({ app, source, file }) => (source === 'custom' ? `${app} (${safe(tilde(file))})` : app));
  const entries = plan.entries.map(({ server, state, origins, picked, notes }) => {
    const mark = state === 'new' && picked ? style.good('+') : style.dim('·');
    const from = [...new Set(origins.map(({ source }) => source))].join(', ');
    const off = state === 'new' && !server.enabled ? ' (switched off there)' : '';
    const line = `${mark} ${style.bold(safe(server.name))}${stateText[state]}${off} ${style.dim(`from ${safe(from)}`)}`;
    return [line, ...notes.map((note) => `    ${safe(note)}`)].join('\n');
  });
  return [
    files.length > 0 ? `Apps:\n${files.join('\n')}` : 'No app with MCP servers was found.',
    ...(missing.length > 0 ? [style.dim(`Not found: ${[...new Set(missing)].join(', ')}`)] : []),
    ...(entries.length > 0 ? [`Servers (${entries.length}):\n${entries.join('\n')}`] : []),
  ].join('\n\n');
}

export function resultText({ imported, moved, plain }: CommandOutput<'import.apply'>, style: Style): string {
  const lines = [`${style.good('✓')} Imported ${count(imported.length, 'server')}.`];
  if (moved.length > 0) lines.push(`${style.good('✓')} Moved ${count(moved.length, 'secret')} to the vault.`);
  if (plain.length > 0) {
    lines.push(
      `${style.warn('!')} Secrets stay in plain text in the settings of Gatehouse: ${safe(plain.join(', '))}. See \`gatehouse secrets list\`.`,
    );
  }
  return lines.join('\n');
}
