/** What saving the draft would change, before it is saved. */
import { ArrowRight, Save, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox } from '../parts/states.tsx';
import { useStores } from '../stores/stores.ts';

export function RuleChanges() {
  const { rules, notices } = useStores();
  const { preview, failure } = useStore(rules.state);
  const [isSaving, setSaving] = useState(false);

  async function save(): Promise<void> {
    setSaving(true);
    await notices.attempt(() => rules.save(), 'Your rules were saved and are in force.');
    setSaving(false);
  }
  return (
    <aside className="changes" aria-label="What would change">
      <header className="changes-head">
        <h2>Not saved yet</h2>
        <p className="muted" role="status">
          {preview
            ? preview.total === 0
              ? 'No tool would change.'
              : `${count(preview.total, 'tool')} would change.`
            : 'Working out what changes…'}
        </p>
      </header>
      {failure && <FailureBox failure={failure} />}
      {preview && preview.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that may scroll has to be reachable by keyboard
        <ul className="changes-list" tabIndex={0} aria-label="Tools that would change">
          {preview.changes.map(({ server, tool, before, after }) => (
            <li key={`${server}::${tool}`}>
              <span className="changes-tool">
                <VisibleText text={tool} />
                <span className="muted small">
                  <VisibleText text={server} />
                </span>
              </span>
              <span className="changes-states">
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
      <footer className="changes-foot">
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
