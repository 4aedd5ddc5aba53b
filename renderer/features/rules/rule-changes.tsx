/** Lists the tools that saving the draft would change. */
import { ArrowRight, Save, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/format.ts';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import rulesStyles from './rules.module.css';

export function RuleChanges() {
  const { rules, toasts } = useStores();
  const { preview, failure } = useStore(rules.state);
  const [isSaving, setSaving] = useState(false);

  async function save(): Promise<void> {
    setSaving(true);
    await toasts.attempt(() => rules.save(), 'Rules saved.');
    setSaving(false);
  }
  return (
    <aside className={rulesStyles.changes} aria-label="Unsaved changes">
      <header className={rulesStyles.changesHead}>
        <h2>Unsaved changes</h2>
        <p className="muted" role="status">
          {preview
            ? preview.total === 0
              ? 'No tools change.'
              : `${count(preview.total, 'tool')} change.`
            : 'Calculating changes…'}
        </p>
      </header>
      {failure && <FailureBox failure={failure} />}
      {preview && preview.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard
        <ul className={rulesStyles.changesList} tabIndex={0} aria-label="Tools that change">
          {preview.changes.map(({ server, tool, before, after }) => (
            <li key={`${server}::${tool}`}>
              <span className={rulesStyles.changesTool}>
                <VisibleText text={tool} />
                <span className="muted small">
                  <VisibleText text={server} />
                </span>
              </span>
              <span className={rulesStyles.changesStates}>
                <span className="muted">{before}</span>
                <ArrowRight className="icon" aria-label="becomes" />
                <strong>{after}</strong>
              </span>
            </li>
          ))}
          {preview.total > preview.changes.length && (
            <li className="muted">and {count(preview.total - preview.changes.length, 'more tool')}</li>
          )}
        </ul>
      )}
      <footer className={rulesStyles.changesFoot}>
        <Button icon={Undo2} onClick={rules.discard}>
          Discard
        </Button>
        <Button look="primary" icon={Save} busy={isSaving} onClick={() => void save()}>
          Save rules
        </Button>
      </footer>
    </aside>
  );
}
