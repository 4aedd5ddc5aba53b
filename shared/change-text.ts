/** Says what a change of the user's settings or files was: in English on the command line, translated in the window. */
import { isObject } from './is-object.ts';
import { english, type Translate } from './message.ts';
import type { ChangeItem, ChangeSource, ChangeView } from './model/change.ts';

interface Language {
  t: Translate;
  /** The display name of a client. */
  nameOf(client: string): string;
}

const plain: Language = { t: english, nameOf: (client) => client };

export function changeText(item: ChangeItem, { t, nameOf }: Language = plain): string {
  const { subject, kind, name, server = '' } = item;
  switch (subject) {
    case 'servers':
      if (kind === 'changed') return t('Changed the server {name}', { name });
      return kind === 'added' ? t('Added the server {name}', { name }) : t('Removed the server {name}', { name });
    case 'disabledServers':
      return kind === 'added' ? t('Disabled the server {name}', { name }) : t('Enabled the server {name}', { name });
    case 'serverTags':
      return t('Changed the tags of {name}', { name });
    case 'rules':
      return rulesText(item, t);
    case 'overrides':
      return overrideText(item, t);
    case 'profiles':
      if (kind === 'changed') return t('Changed the profile {name}', { name });
      return kind === 'added' ? t('Added the profile {name}', { name }) : t('Removed the profile {name}', { name });
    case 'grants':
      return grantText(item, { t, nameOf });
    case 'knownDestinations':
      return kind === 'removed'
        ? t('Forgot the destination {name} of {server}', { name, server })
        : t('Allowed {server} the destination {name}', { name, server });
    case 'clientTokens':
      if (kind === 'changed') return t('Replaced the token {name}', { name });
      return kind === 'added' ? t('Created the token {name}', { name }) : t('Revoked the token {name}', { name });
    case 'routing':
      return t('Changed who answers the questions for {client}', { client: nameOf(name) });
    case 'batch':
      return t('Changed whether {client} may send many calls at once', { client: nameOf(name) });
    case 'enableRequests':
      return t('Changed what happens when a client tries to use a disabled tool');
    case 'userSettings':
      return t('Changed the setting “{name}”', { name: t(settingNames[name] ?? name) });
    case 'registries':
      return kind === 'added'
        ? t('Enabled the registry {name}', { name })
        : t('Disabled the registry {name}', { name });
    case 'pins':
      if (!item.isKept) return t('Changed what you accepted of {name}', { name });
      return objectOf(item.after).reviewed === true ? t('Accepted {name}', { name }) : t('Held {name} again', { name });
    case 'clientFiles':
      if (kind === 'changed') return t('Restored the file of {name}', { name });
      return kind === 'added' ? t('Connected {name}', { name }) : t('Disconnected {name}', { name });
  }
}

// translated: the window passes them to its `t`
const settingNames: Partial<Record<string, string>> = {
  maxResultCharacters: 'Long results',
  questionTimeoutMs: 'Questions expire after',
  http: 'Allow clients to connect over HTTP',
  historyMonths: 'Keep history',
  resultDays: 'Keep call results',
  updates: 'Look for new versions and install them',
};

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

function rulesText({ before, after }: ChangeItem, t: Translate): string {
  const more = countOf(after) - countOf(before);
  if (more > 0) return t('Added {count, plural, one {# rule} other {# rules}}', { count: more });
  if (more < 0) return t('Removed {count, plural, one {# rule} other {# rules}}', { count: -more });
  return t('Changed your rules');
}

const objectOf = (value: unknown) => (isObject(value) ? value : {});

function overrideText({ name, before, after }: ChangeItem, t: Translate): string {
  const [was, is] = [objectOf(before), objectOf(after)];
  const parts: string[] = [];
  if (was.enabled !== is.enabled) {
    if (is.enabled === true) parts.push(t('Enabled {name}', { name }));
    else if (is.enabled === false) parts.push(t('Disabled {name}', { name }));
    else parts.push(t('Let the rules decide whether {name} is enabled', { name }));
  }
  if (was.confirm !== is.confirm) {
    if (is.confirm === 'always') parts.push(t('Made {name} ask every time', { name }));
    else if (is.confirm === 'never') parts.push(t('Let {name} run without approval', { name }));
    else parts.push(t('Made {name} ask as usual', { name }));
  }
  if (was.destinations !== is.destinations) {
    if (is.destinations === 'any') parts.push(t('Let {name} use any destination', { name }));
    else if (is.destinations === 'known') parts.push(t('Made {name} ask for new destinations', { name }));
    else parts.push(t('Let the rules decide about the destinations of {name}', { name }));
  }
  return parts.length > 0 ? parts.join(' · ') : t('Changed the settings of {name}', { name });
}

function grantText({ kind, name, server = '', before, after }: ChangeItem, { t, nameOf }: Language): string {
  const { client, covers } = objectOf(after ?? before);
  const what = covers === 'acts' ? t('the tools of {server} that are not dangerous', { server }) : name;
  if (typeof client !== 'string') return t('Changed the approval of {name}', { name });
  const who = client === '' ? t('every client') : nameOf(client);
  if (kind === 'changed') return t('Changed the approval of {what} for {who}', { what, who });
  return kind === 'added'
    ? t('Approved {what} for {who}', { what, who })
    : t('Revoked the approval of {what} for {who}', { what, who });
}

// translated: the window passes them to its `t`
const sources: Record<ChangeSource, string> = {
  window: 'In the window',
  terminal: 'In a terminal',
  question: 'Your answer to a question',
  setup: 'Import',
  update: 'Update',
};
// translated: the window passes them to its `t`
const states: Partial<Record<ChangeView['undo'], string>> = {
  changed: 'Changed since',
  done: 'Undone',
  none: 'Cannot be undone here',
};

/** Who made the change, and whether it undid another one. */
export const sourceText = ({ by, undoes }: ChangeView, t: Translate = english): string =>
  [t(sources[by]), ...(undoes === undefined ? [] : [t('by Undo')])].join(' · ');

/** Why a change cannot be undone; empty if it can. */
export const undoText = ({ undo }: ChangeView, t: Translate = english): string => t(states[undo] ?? '');
