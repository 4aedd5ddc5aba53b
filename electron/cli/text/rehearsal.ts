/** Text output of an update's rehearsal. */
import type { Rehearsal, ToolChange } from '../../../shared/model/rehearsal.ts';
import { toolChangeNotes, toolChangeTitles } from '../../../shared/plan-change.ts';
import { count, type Style, safe, safeLines } from '../terminal.ts';

export function rehearsalText({ tools, same, more, failure }: Rehearsal, style: Style): string {
  if (failure)
    return [
      style.warn('! The new version did not list its tools with stand-ins for its secrets and paths:'),
      `  ${safeLines(failure.message, 4)}`,
      '  If you update, agents cannot use new and changed tools until you accept them.',
    ].join('\n');
  const others = [`${count(same, 'tool')} unchanged`, more > 0 && `${more} more differences`]
    .filter(Boolean)
    .join(', ');
  if (tools.length === 0) return `The tools stay the same (${others}).`;
  return [style.bold('Tools of the new version:'), ...tools.flatMap((tool) => lines(tool, style)), `  ${others}`].join(
    '\n',
  );
}

function lines(change: ToolChange, style: Style): string[] {
  const { name, kind, safetyAfter, description, findings } = change;
  const paint = { added: style.good, changed: style.warn, removed: style.bad }[kind];
  const level = kind === 'added' ? ` (${safetyAfter})` : '';
  const summary = kind === 'added' ? safe(description.split('\n', 1)[0]?.slice(0, 200) ?? '') : '';
  return [
    `  ${paint(toolChangeTitles[kind])}: ${safe(name)}${level}${summary && ` ${style.dim(summary)}`}`,
    ...toolChangeNotes(change).map((note) => `    ${safe(note)}`),
    ...definitionLines(change),
    ...findings.map((finding) => style.bad(`    ! ${safe(finding)}`)),
  ];
}

function definitionLines({ before, after }: ToolChange): string[] {
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return parts.flatMap((part) => [
    `    ${safe(part)}:`,
    ...(part in before ? [`      - ${shortened(before[part])}`] : []),
    ...(part in after ? [`      + ${shortened(after[part])}`] : []),
  ]);
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return safeLines(text.length > 1000 ? `${text.slice(0, 1000)}…` : text, 10);
}
