/** Describes the changes that an update makes. */
import { english, type Translate } from './message.ts';
import type { PlanChange } from './model/registry.ts';
import type { ToolChange } from './model/rehearsal.ts';

// translated: the window passes them to its `t`
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
export function describeChange(
  { what, before, after }: PlanChange,
  t: Translate = english,
): { sign: '+' | '-' | '~'; title: string } {
  const noun = t(nouns[what]);
  if (before === undefined) return { sign: '+', title: t('New {noun}', { noun }) };
  return after === undefined
    ? { sign: '-', title: t('Removed {noun}', { noun }) }
    : { sign: '~', title: t('Changed {noun}', { noun }) };
}

// translated: the window passes them to its `t`
export const toolChangeTitles: Readonly<Record<ToolChange['kind'], string>> = {
  added: 'New tool',
  changed: 'Changed tool',
  removed: 'Removed tool',
};

/** The facts about a changed tool besides its definition. */
export function toolChangeNotes(change: ToolChange, t: Translate = english): string[] {
  const { kind, safetyBefore, safetyAfter, addedParameters, removedParameters } = change;
  const isOther = safetyBefore !== undefined && safetyAfter !== undefined && safetyBefore !== safetyAfter;
  const added = addedParameters.join(', ');
  return [
    isOther && t('safety level: {before} before, now {after}', { before: safetyBefore, after: safetyAfter }),
    addedParameters.length > 0 &&
      (kind === 'added' ? t('parameters: {added}', { added }) : t('new parameters: {added}', { added })),
    removedParameters.length > 0 && t('without parameters: {removed}', { removed: removedParameters.join(', ') }),
  ].filter((note) => typeof note === 'string');
}
