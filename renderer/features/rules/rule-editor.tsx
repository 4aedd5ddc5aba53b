/** A dialog that edits one rule in the draft. */
import { useEffect, useState } from 'react';
import type { Confirm, SafetyLevel } from '../../../shared/model/tool.ts';
import { FilterInput, Select, TextInput } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { FormDialog } from '../../components/dialog.tsx';
import { byName } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hasWords, maxUnfiltered, partsOf, wordsOf } from '../../components/words.ts';
import { useResource } from '../../stores/resource.ts';
import type { DraftRule } from '../../stores/rules.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { describeEffect, describeLimits, describeScope } from './describe-rule.ts';
import styles from './rules.module.css';

export function RuleEditor({
  rule,
  isNew,
  onSave,
  onClose,
}: {
  rule: DraftRule;
  isNew: boolean;
  onSave(rule: DraftRule): void;
  onClose(): void;
}) {
  const { servers } = useStores();
  const allServers = useResource(servers).data ?? [];
  const [server, setServer] = useState(rule.server ?? '');
  const [client, setClient] = useState(rule.client ?? '');
  const [safety, setSafety] = useState(JSON.stringify([rule.safety ?? []].flat()));
  const [patterns, setPatterns] = useState(rule.pattern.join('\n'));
  const [enabled, setEnabled] = useState(rule.enabled === undefined ? '' : rule.enabled ? 'yes' : 'no');
  const [confirm, setConfirm] = useState<string>(rule.confirm ?? '');
  const [tags, setTags] = useState((rule.tags ?? []).join(', '));

  const tagList = partsOf(tags, /,/);
  const edited: DraftRule = {
    ...rule,
    // One per line, or separated by a comma and a space. Only a comma without a space can be part of a pattern.
    pattern: partsOf(patterns, /\n|,\s/),
    server: server || undefined,
    client: client || undefined,
    safety: safetyOf(safety),
    enabled: enabled ? enabled === 'yes' : undefined,
    confirm: confirm ? (confirm as Confirm) : undefined,
    tags: tagList.length > 0 ? tagList : undefined,
  };
  const hasNoEffect = !enabled && !confirm && tagList.length === 0;
  const serverNames = [...new Set([...(rule.server ? [rule.server] : []), ...allServers.map(({ id }) => id)])].sort(
    byName,
  );

  return (
    <FormDialog
      title={isNew ? t('New rule') : t('Edit rule')}
      action={t('Done')}
      disabled={hasNoEffect}
      onSubmit={() => onSave(edited)}
      onClose={onClose}
    >
      <ServerChoice value={server} names={serverNames} onChange={setServer} />
      <div className={dialogStyles.pair}>
        <ClientChoice
          value={client}
          onChange={(next) => {
            setClient(next);
            if (next && enabled === 'yes') setEnabled('');
          }}
        />
        <Select
          label={t('Safety level')}
          value={safety}
          options={
            safetyOptions.some(([key]) => key === safety)
              ? safetyOptions
              : [...safetyOptions, [safety, describeLimits({ pattern: [], safety: rule.safety }).join('')]]
          }
          onChange={setSafety}
        />
      </div>
      <TextInput
        mono
        rows={3}
        label={t('Tools')}
        value={patterns}
        // untranslated: code
        placeholder={'*delete*\n!*draft*'}
        hint={
          <T
            text="One pattern per line. Leave empty to match all tools. <code>*delete*</code> matches part of a name, <code>/^(create|update)_/i</code> is a regular expression, and <code>!*draft*</code> excludes tools."
            code={(text) => <code>{text}</code>}
          />
        }
        onChange={setPatterns}
      />
      <div className={dialogStyles.pair}>
        <Select
          label={t('Agents can use these tools')}
          value={enabled}
          options={[
            ['', t('Don’t change')],
            // A rule for one client never enables a tool.
            ...(client ? [] : [['yes', t('Yes, enable them')] as const]),
            ['no', t('No, disable them')],
          ]}
          onChange={setEnabled}
        />
        <Select
          label={t('Ask before they run')}
          value={confirm}
          options={[
            ['', t('Don’t change')],
            ['auto', t('When needed')],
            ['always', t('Always')],
            ['never', t('Never')],
          ]}
          onChange={setConfirm}
        />
      </div>
      <TextInput
        optional
        label={t('Tags')}
        value={tags}
        placeholder={t('risky, billing')}
        hint={t('Separated by commas. Search finds tools by their tags.')}
        onChange={setTags}
      />
      <RuleEffect rule={edited} hasNoEffect={hasNoEffect} />
    </FormDialog>
  );
}

const anySafety = '[]';
const safetyOptions: (readonly [string, string])[] = [
  [anySafety, t('Any')],
  ['["safe"]', t('Only safe')],
  ['["moderate","dangerous"]', t('Moderate and dangerous')],
  ['["dangerous"]', t('Only dangerous')],
];

/** A single level is stored as in the table of clients and servers. */
function safetyOf(chosen: string): DraftRule['safety'] {
  const levels = JSON.parse(chosen) as SafetyLevel[];
  return levels.length === 0 ? undefined : levels.length === 1 ? levels[0] : levels;
}

function ClientChoice({ value, onChange }: { value: string; onChange(value: string): void }) {
  // A lost connection has its own banner, and the rule's own client can be kept without the others.
  const clients = useCommand('access.show', []).data?.clients ?? [];
  const known = clients.some(({ id }) => id === value);
  return (
    <Select
      label={t('Client')}
      value={value}
      options={[
        ['', t('All clients')],
        ...clients.map(({ id, name }) => [id, name] as const),
        ...(value && !known ? [[value, value] as const] : []),
      ]}
      onChange={onChange}
    />
  );
}

interface ServerChoiceProps {
  value: string;
  names: readonly string[];
  onChange(value: string): void;
}

function ServerChoice({ value, names, onChange }: ServerChoiceProps) {
  const [filter, setFilter] = useState('');
  const found = names.filter((id) => hasWords(id.toLowerCase(), wordsOf(filter)));
  return (
    <div className={styles.serverChoice}>
      <Select
        label={t('Server')}
        value={value}
        options={[
          ['', t('All servers')],
          ...names.filter((id) => id === value || found.includes(id)).map((id) => [id, id] as const),
        ]}
        onChange={onChange}
      />
      {names.length > maxUnfiltered && (
        <FilterInput
          label={t('Filter servers')}
          value={filter}
          onChange={setFilter}
          onEnter={() => found[0] && onChange(found[0])}
        />
      )}
    </div>
  );
}

/** One sentence that says what the rule does. */
function RuleEffect({ rule, hasNoEffect }: { rule: DraftRule; hasNoEffect: boolean }) {
  const matches = useMatches(rule);
  return (
    <p className={noteStyles.note}>
      {hasNoEffect ? (
        t('This rule has no effect yet. Choose a setting or add a tag.')
      ) : (
        <T
          text="<b>{effect}</b>: {tools}. {matches}"
          b={(text) => <strong>{text}</strong>}
          effect={describeEffect(rule)}
          tools={<VisibleText text={describeScope(rule)} />}
          matches={<span role="status">{matches}</span>}
        />
      )}
    </p>
  );
}

const typingPauseMs = 200;

/** How many tools the rule matches now, or why its pattern is invalid. */
function useMatches({ client, server, pattern, safety, category }: DraftRule): string {
  const { link } = useStores();
  const [matches, setMatches] = useState('');
  const scope = JSON.stringify({ client, server, pattern, safety, category });
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const rule = {
        ...(JSON.parse(scope) as Pick<DraftRule, 'client' | 'server' | 'pattern' | 'safety' | 'category'>),
        active: true,
      };
      link.call('rules.preview', { rules: [rule] }).then(
        ({ rules: [view] }) => isCurrent && view && setMatches(view.problem ?? matchText(view.matches)),
        // A lost connection has its own banner, and saving reports any other problem.
        () => isCurrent && setMatches(''),
      );
    }, typingPauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [link, scope]);
  return matches;
}

const matchText = (matches: number): string =>
  matches === 0
    ? t('Currently matches no tools.')
    : t('Currently matches {count, plural, one {# tool} other {# tools}}.', { count: matches });
