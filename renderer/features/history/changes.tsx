/** The changes to Toolkeep and to clients' files, newest first, by day. Each change can be undone while its values are the same. */
import { FileClock, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { sourceText, undoText } from '../../../shared/change-text.ts';
import type { ChangeView } from '../../../shared/model/change.ts';
import { Button } from '../../components/button.tsx';
import { DayHeading } from '../../components/day.tsx';
import { timeOfDay } from '../../components/format.ts';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { replaceRoute } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { useChangeText } from './use-change-text.ts';

const shownItems = 3;

/** `opened`: the ID of the change whose dialog is open. */
export function Changes({ opened }: { opened: string | undefined }) {
  const { link, toasts, changes } = useStores();
  const { data, failure } = useResource(changes);
  const [busy, setBusy] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  if (!data) return <Unloaded failure={failure} label={t('Loading changes')} rows={6} onRetry={changes.load} />;
  if (data.length === 0)
    return (
      <Empty
        icon={FileClock}
        title={t('No changes yet')}
        text={t('What you change in Toolkeep appears here. You can undo most changes.')}
      />
    );

  const close = () => replaceRoute('history', 'changes');
  async function undo({ id }: ChangeView): Promise<void> {
    setBusy(id);
    await toasts.attempt(() => link.call('changes.undo', { id }), t('Undone.'));
    close();
    await changes.load();
    setBusy(undefined);
    // The button is gone.
    list.current?.focus();
  }
  const inDialog = data.find(({ id, undo: state }) => id === opened && state === 'ready');
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t('Changes')} className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
        {data.map((change, index) => (
          <li key={change.id}>
            <DayHeading at={change.at} before={data[index - 1]?.at} />
            <Row
              change={change}
              isBusy={change.id === busy}
              onUndo={() => (change.mayWiden ? replaceRoute('history', 'changes', change.id) : void undo(change))}
            />
          </li>
        ))}
      </ul>
      {inDialog && <ChangeDialog change={inDialog} onUndo={() => undo(inDialog)} onClose={close} />}
    </>
  );
}

function Row({ change, isBusy, onUndo }: { change: ChangeView; isBusy: boolean; onUndo(): void }) {
  const textOf = useChangeText();
  const { at, items, omitted, undo } = change;
  const texts = items.map(textOf);
  const more = texts.length + omitted - shownItems;
  return (
    <div className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
      <div className={rowsStyles.rowMain}>
        {texts.slice(0, shownItems).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no other identity
          <VisibleText key={index} text={text} />
        ))}
        {more > 0 && (
          <details className="small">
            <summary>{t('{count, number} more', { count: more })}</summary>
            <ul>
              {texts.slice(shownItems).map((text, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the items have no other identity
                <VisibleText as="li" key={index} text={text} />
              ))}
            </ul>
            {omitted > 0 && (
              <p className="muted">{t('Only the first {count, number} are kept.', { count: texts.length })}</p>
            )}
          </details>
        )}
        <span className="muted small">
          {timeOfDay(at)} · {sourceText(change, t)}
        </span>
      </div>
      {undo === 'ready' ? (
        <Button
          icon={Undo2}
          busy={isBusy}
          aria-label={t('Undo: {change}', { change: texts[0] ?? '' })}
          onClick={onUndo}
        >
          {change.mayWiden ? t('Undo…') : t('Undo')}
        </Button>
      ) : (
        <span className="muted small">{undoText(change, t)}</span>
      )}
    </div>
  );
}
