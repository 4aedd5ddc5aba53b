/** Lists the tools that saving the draft would change. */
import { ArrowRight, Save, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { toolKey } from '../../../shared/tool-key.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import rulesStyles from './rules.module.css';

export function RuleChanges() {
  const { rules, toasts } = useStores();
  const { preview, failure } = useStore(rules.state);

  async function save(): Promise<void> {
    const before = await rules.save();
    toasts.undoable(t('Rules saved.'), () => rules.restore(before), t('The earlier rules apply again.'));
  }
  return (
    <aside className={rulesStyles.changes} aria-label={t('Unsaved changes')}>
      <header className={rulesStyles.changesHead}>
        <h2>{t('Unsaved changes')}</h2>
        <p className="muted" role="status">
          {preview
            ? preview.total === 0
              ? t('No tools will change.')
              : t('{count, plural, one {# tool} other {# tools}} will change.', { count: preview.total })
            : t('Calculating changes…')}
        </p>
      </header>
      {failure && <FailureBox failure={failure} />}
      {preview && preview.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard
        <ul className={rulesStyles.changesList} tabIndex={0} aria-label={t('Tools that change')}>
          {preview.changes.map(({ server, tool, before, after }) => (
            <li key={toolKey(server, tool)}>
              <span className={rulesStyles.changesTool}>
                <VisibleText text={tool} />
                <VisibleText as="span" className="muted small" text={server} />
              </span>
              <span className={rulesStyles.changesStates}>
                <span className="muted">{before}</span>
                <ArrowRight className="icon faint" aria-label={t('becomes')} />
                <strong>{after}</strong>
              </span>
            </li>
          ))}
          {preview.total > preview.changes.length && (
            <li className="muted">
              {t('and {count, plural, one {# more tool} other {# more tools}}', {
                count: preview.total - preview.changes.length,
              })}
            </li>
          )}
        </ul>
      )}
      <footer className={rulesStyles.changesFoot}>
        <Button icon={Undo2} onClick={rules.discard}>
          {t('Discard')}
        </Button>
        <ActionButton look="primary" icon={Save} run={save}>
          {t('Save rules')}
        </ActionButton>
      </footer>
    </aside>
  );
}
