/** The person's rules in order, with what each matches; a draft shows at once what saving it would change. */
import { Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { RuleView } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { useResource } from '../stores/resource.ts';
import { type DraftRule, ownRules } from '../stores/rules.ts';
import { useStores } from '../stores/stores.ts';
import { RuleChanges } from './rule-changes.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { OwnRuleList } from './rule-list.tsx';
import { RuleText } from './rule-text.tsx';

export function RulesView() {
  const { rules, config } = useStores();
  const { data, failure } = useResource(rules.list);
  const { draft, preview } = useStore(rules.state);
  const file = useResource(config).data?.shown.file;
  const [editing, setEditing] = useState<DraftRule>();

  const shown: readonly RuleView[] = preview?.rules ?? data ?? [];
  const own: DraftRule[] = draft ?? ownRules(data ?? []).map((rule, index) => ({ ...rule, id: -1 - index }));
  const fromConfig = shown.filter(({ origin }) => origin === 'config');
  const firstConfig = shown.length - fromConfig.length;

  function keep(rule: DraftRule): void {
    rules.edit((list) =>
      list.some(({ id }) => id === rule.id)
        ? list.map((entry) => (entry.id === rule.id ? rule : entry))
        : [...list, rule],
    );
    setEditing(undefined);
  }

  return (
    <Page
      title="Rules"
      lead="They decide which tools agents can see and run. The first rule that matches a tool decides."
      actions={
        <Button
          look="primary"
          icon={Plus}
          onClick={() => setEditing({ id: rules.newId(), pattern: [], active: true, enabled: false })}
        >
          Add rule
        </Button>
      }
    >
      {editing && <RuleEditor rule={editing} onKeep={keep} onClose={() => setEditing(undefined)} />}
      {failure && !data && <FailureBox failure={failure} onRetry={() => void rules.list.load()} />}
      {!data && !failure && <Skeleton label="rules" />}
      {data && (
        <div className={draft ? 'rules rules-draft' : 'rules'}>
          <div>
            <Section title="Your rules">
              {own.length === 0 ? (
                <Empty icon={ShieldCheck} title="No rules of your own">
                  <p>
                    Every tool is on; dangerous ones ask you before they run. A rule can switch tools off, make them
                    ask, or tag them.
                  </p>
                </Empty>
              ) : (
                <OwnRuleList rules={own} views={shown} onEdit={setEditing} />
              )}
            </Section>
            {fromConfig.length > 0 && (
              <Section title="From the config file" aside={<span className="muted small mono">{file}</span>}>
                <ol className="rule-list" start={firstConfig + 1}>
                  {fromConfig.map((rule, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rules of a file are known by their place only
                    <li key={index} className="rule">
                      <RuleText rule={rule} view={rule} number={firstConfig + index + 1} />
                    </li>
                  ))}
                </ol>
                <p className="muted small">These come after yours and can be changed in their file only.</p>
              </Section>
            )}
          </div>
          {draft && <RuleChanges />}
        </div>
      )}
    </Page>
  );
}
