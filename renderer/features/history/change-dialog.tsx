/** Undoes a change that may allow agents more, or that edits clients' files, after showing the difference. */
import { TriangleAlert, Undo2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { isObject } from '../../../shared/is-object.ts';
import type { ChangeItem, ChangeView } from '../../../shared/model/change.ts';
import { DefinitionDiff } from '../../components/definition-diff.tsx';
import { ActionDialog } from '../../components/dialog.tsx';
import { NoticeBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';
import { FileUndo } from '../clients/undo-dialog.tsx';
import { useChangeText } from './use-change-text.ts';

interface ChangeDialogProps {
  change: ChangeView;
  onUndo(): Promise<void>;
  onClose(): void;
}

export function ChangeDialog({ change: { items }, onUndo, onClose }: ChangeDialogProps) {
  const textOf = useChangeText();
  const [ready, setReady] = useState<ReadonlySet<string>>(new Set());
  const files = items.filter(({ subject }) => subject === 'clientFiles');
  return (
    <ActionDialog
      title={t('Undo this change?')}
      action={t('Undo')}
      icon={Undo2}
      disabled={files.some(({ key }) => !ready.has(key))}
      run={onUndo}
      onClose={onClose}
    >
      {files.length < items.length && (
        <NoticeBox
          icon={TriangleAlert}
          label={t('Weakens your protection')}
          message={t('Afterward, agents may be allowed more than now.')}
          warning
        />
      )}
      {items.map((item) => (
        <section key={`${item.subject} ${item.key}`} aria-label={textOf(item)}>
          <VisibleText as="h3" text={textOf(item)} />
          <Difference item={item} setReady={setReady} />
        </section>
      ))}
    </ActionDialog>
  );
}

type SetReady = (change: (ready: ReadonlySet<string>) => ReadonlySet<string>) => void;

function Difference({ item, setReady }: { item: ChangeItem; setReady: SetReady }) {
  const { subject, key, before, after } = item;
  const onReady = useCallback(
    (isReady: boolean) => setReady((ready) => new Set([...ready, ...(isReady ? [key] : [])])),
    [setReady, key],
  );
  if (subject === 'clientFiles') return <FileUndo client={key} onReady={onReady} />;
  if (subject === 'servers') return <p>{t('The server is added again, with its secrets and tags.')}</p>;
  return <DefinitionDiff before={shown(item, after)} after={shown(item, before)} />;
}

/** Fields that name an item. The title does this. */
const labels: ReadonlySet<string> = new Set(['id', 'server', 'tool', 'name']);

const byRules = () => t('as the rules say');

function fieldsOf(value: unknown, change = (field: unknown): unknown => field): Record<string, unknown> {
  const fields = Object.entries(isObject(value) ? value : {}).filter(([name]) => !labels.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, change(field)]));
}

/** A value as the fields of a definition. */
function shown({ subject, before, after }: ChangeItem, value: unknown): Record<string, unknown> {
  if (subject === 'overrides') return { ...fieldsOf(before, byRules), ...fieldsOf(after, byRules), ...fieldsOf(value) };
  if (isObject(value)) return fieldsOf(value);
  if (subject === 'disabledServers') return { enabled: value !== true };
  return value === undefined ? {} : { [subject]: value };
}
