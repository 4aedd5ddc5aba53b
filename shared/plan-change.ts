/** Describes the changes that an update makes. */
import type { PlanChange } from './model/registry.ts';
import type { ToolChange } from './model/rehearsal.ts';

const nouns: Readonly<Record<PlanChange['what'], string>> = {
  command: 'command',
  variable: 'variable or header',
  secret: 'secret',
  path: 'file or folder',
  input: 'setting',
  host: 'host',
  script: 'install script',
};

/** `sign` as in a diff: added, removed, changed. */
export function describeChange({ what, before, after }: PlanChange): { sign: '+' | '-' | '~'; title: string } {
  const noun = nouns[what];
  if (before === undefined) return { sign: '+', title: `New ${noun}` };
  return after === undefined ? { sign: '-', title: `Removed ${noun}` } : { sign: '~', title: `Changed ${noun}` };
}

export const toolChangeTitles: Readonly<Record<ToolChange['kind'], string>> = {
  added: 'New tool',
  changed: 'Changed tool',
  removed: 'Removed tool',
};

/** The facts about a changed tool besides its definition. */
export function toolChangeNotes(change: ToolChange): string[] {
  const { kind, safetyBefore, safetyAfter, addedParameters, removedParameters } = change;
  const isOther = safetyBefore !== undefined && safetyAfter !== undefined && safetyBefore !== safetyAfter;
  return [
    ...(isOther ? [`safety level: ${safetyBefore} before, now ${safetyAfter}`] : []),
    ...(addedParameters.length > 0
      ? [`${kind === 'added' ? 'parameters' : 'new parameters'}: ${addedParameters.join(', ')}`]
      : []),
    ...(removedParameters.length > 0 ? [`without parameters: ${removedParameters.join(', ')}`] : []),
  ];
}
