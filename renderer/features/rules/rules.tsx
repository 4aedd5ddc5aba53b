/** The rules in order. While a draft is edited, a panel shows what saving it would change. */
import { Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Rule, RuleView } from '../../../shared/model/rule.ts';
import { Button } from '../../components/button.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { ownRules } from '../../stores/own-rules.ts';
import { useResource } from '../../stores/resource.ts';
import type { DraftRule } from '../../stores/rules.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { RuleChanges } from './rule-changes.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { OwnRuleList } from './rule-list.tsx';
import { RuleText } from './rule-text.tsx';
import styles from './rules.module.css';

interface RulesOfProps {
  origin: RuleView['origin'];
  rules: readonly RuleView[];
  title: string;
  note: string;
  file?: string | undefined;
}

/** The rules of one origin that cannot be edited here. */
function RulesOf({ origin, rules, title, note, file }: RulesOfProps) {
  const numbered = rules
    .map((rule, index) => ({ rule, number: index + 1 }))
    .filter(({ rule }) => rule.origin === origin);
  if (numbered.length === 0) return null;
  const aside = file && (
    <span className="muted small">
      <Path path={file} />
    </span>
  );
  return (
    <Section title={title} aside={aside}>
      <ol className={`${styles.ruleList} ${rowsStyles.rows} card`}>
        {numbered.map(({ rule, number }) => (
          <li key={number} value={number} className={styles.rule}>
            <RuleText rule={rule} view={rule} number={number} />
          </li>
        ))}
      </ol>
      <p className="muted small">{note}</p>
    </Section>
  );
}

const presets: readonly (Pick<Rule, 'safety' | 'enabled' | 'confirm'> & { label: string })[] = [
  { label: t('Only read'), safety: ['moderate', 'dangerous'], enabled: false },
  { label: t('Nothing dangerous'), safety: 'dangerous', enabled: false },
  // untranslated: a setting
  { label: t('Ask before every change'), safety: ['moderate', 'dangerous'], confirm: 'always' },
];

/** Each button starts a draft, which shows what would change before it is saved. */
function Presets() {
  const { rules } = useStores();
  return (
    <p className={styles.presets}>
      {presets.map(({ label, ...rule }) => (
        <Button
          key={label}
          onClick={() => rules.edit((list) => [...list, { ...rule, id: rules.newId(), pattern: [], active: true }])}
        >
          {label}
        </Button>
      ))}
    </p>
  );
}

export function RulesView() {
  const { rules, config } = useStores();
  const { data, failure } = useResource(rules.list);
  const { draft, preview, proposed } = useStore(rules.state);
  const file = useResource(config).data?.shown.file;
  const [chosen, setEditing] = useState<DraftRule>();
  const editing = chosen ?? proposed;
  function stopEditing(): void {
    setEditing(undefined);
    rules.propose(undefined);
  }

  const shown: readonly RuleView[] = preview?.rules ?? data ?? [];
  const own: DraftRule[] = draft ?? ownRules(data ?? []).map((rule, index) => ({ ...rule, id: -1 - index }));

  function saveToDraft(rule: DraftRule): void {
    rules.edit((list) =>
      list.some(({ id }) => id === rule.id)
        ? list.map((entry) => (entry.id === rule.id ? rule : entry))
        : [...list, rule],
    );
    stopEditing();
  }

  return (
    <Page
      title={t('Rules')}
      lead={t('Rules decide which tools agents can use. The first matching rule wins.')}
      actions={
        <Button look="primary" icon={Plus} onClick={() => setEditing({ id: rules.newId(), pattern: [], active: true })}>
          {t('Add rule')}
        </Button>
      }
    >
      {editing && (
        <RuleEditor
          key={editing.id}
          rule={editing}
          isNew={!own.some(({ id }) => id === editing.id)}
          onSave={saveToDraft}
          onClose={stopEditing}
        />
      )}
      {!data && <Unloaded failure={failure} label={t('Loading rules')} onRetry={rules.list.load} />}
      {data && (
        <div className={draft ? styles.rulesDraft : undefined} data-draft={draft ? true : undefined}>
          <div className="sections">
            <Section title={t('Your rules')}>
              {own.length === 0 ? (
                <Empty icon={ShieldCheck} title={t('No rules yet')}>
                  <p>
                    {shown.length === 0 && `${t('All tools are enabled.')} `}
                    {t(
                      'Toolkeep asks once per client and server before tools that change something run, and each time before dangerous ones. Rules can disable tools, change when Toolkeep asks, or tag tools.',
                    )}
                  </p>
                  <Presets />
                </Empty>
              ) : (
                <OwnRuleList rules={own} views={shown} onEdit={setEditing} />
              )}
            </Section>
            <RulesOf
              origin="config"
              rules={shown}
              title={t('From the config file')}
              note={t('These rules apply after yours. Edit the file to change them.')}
              file={file}
            />
            <RulesOf
              origin="client"
              rules={shown}
              title={t('From your clients')}
              note={t(
                'A client disables these tools of a server that you imported from it. You can enable each tool on its page.',
              )}
            />
            <RulesOf
              origin="folder"
              rules={shown}
              title={t('From the trusted folder')}
              note={t(
                'These rules apply after all others. Unless you accepted more, they can only disable tools or require approval.',
              )}
            />
          </div>
          {draft && <RuleChanges />}
        </div>
      )}
    </Page>
  );
}
