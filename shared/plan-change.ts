/** Describes the changes that an update makes. */
import { english, type Translate } from './message.ts';
import type { PlanChange } from './model/registry.ts';

/** Whole messages, because in other languages the words must agree with each other. */
// translated: the window passes them to its `t`
const titles: Readonly<Record<PlanChange['what'], Readonly<Record<'+' | '-' | '~', string>>>> = {
  command: { '+': 'New command', '-': 'Removed command', '~': 'Changed command' },
  variable: {
    '+': 'New variable or header',
    '-': 'Removed variable or header',
    '~': 'Changed variable or header',
  },
  secret: { '+': 'New secret', '-': 'Removed secret', '~': 'Changed secret' },
  path: { '+': 'New file or folder', '-': 'Removed file or folder', '~': 'Changed file or folder' },
  input: { '+': 'New setting', '-': 'Removed setting', '~': 'Changed setting' },
  host: { '+': 'New host', '-': 'Removed host', '~': 'Changed host' },
  script: { '+': 'New install script', '-': 'Removed install script', '~': 'Changed install script' },
};

/** `sign` as in a diff: added, removed, changed. */
export function describeChange(
  { what, before, after }: PlanChange,
  t: Translate = english,
): { sign: '+' | '-' | '~'; title: string } {
  const sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  return { sign, title: t(titles[what][sign]) };
}
