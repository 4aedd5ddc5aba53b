/** A dialog that adds tags to servers and removes them. */
import { Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { maxTagLength, type ServerView } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { Labelled } from '../../components/controls.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { tagsOf } from './server-tags.tsx';
import styles from './tag-dialog.module.css';

/** Whether all, some or none of the servers have a tag. */
type Share = 'all' | 'some' | 'none';

export function TagDialog({ servers, onClose }: { servers: readonly ServerView[]; onClose(): void }) {
  const { link, toasts, servers: resource } = useStores();
  const all = useResource(resource).data ?? servers;
  const [created, setCreated] = useState<readonly string[]>([]);
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const [text, setText] = useState('');
  const [isSaving, setSaving] = useState(false);
  const inputId = useId();
  const known = [...new Set([...tagsOf(all), ...created])];
  const count = servers.length;
  const server = count === 1 ? servers[0]?.id : undefined;
  const shares = new Map(known.map((tag) => [tag, shareOf(servers, tag)]));

  function create(): readonly string[] {
    const name = text.trim();
    setText('');
    if (name === '') return [];
    const tag = known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    setCreated([...created, tag]);
    setChoices({ ...choices, [tag]: true });
    return [tag];
  }
  async function save(): Promise<void> {
    // Also add a tag that the user typed but did not add.
    const typed = create();
    const add = [...typed, ...known.filter((tag) => choices[tag] === true && shares.get(tag) !== 'all')];
    const remove = known.filter((tag) => choices[tag] === false && shares.get(tag) !== 'none' && !typed.includes(tag));
    if (add.length + remove.length === 0) return onClose();
    setSaving(true);
    const names = servers.map(({ id }) => id);
    const isSaved = await toasts.attempt(() =>
      link.call('servers.tag', { servers: names, add, remove }).then(() => true),
    );
    setSaving(false);
    if (!isSaved) return;
    onClose();
    toasts.undoable(
      server === undefined
        ? t('Changed the tags of {count, plural, one {# server} other {# servers}}.', { count })
        : t('Changed the tags of {server}.', { server }),
      () => restore([...add, ...remove]),
      t('Restored the tags.'),
    );
  }
  /** Restores which of `tags` each server had before. */
  async function restore(tags: readonly string[]): Promise<void> {
    for (const { id, tags: before = [] } of servers) {
      const add = tags.filter((tag) => before.includes(tag));
      await link.call('servers.tag', { servers: [id], add, remove: tags.filter((tag) => !before.includes(tag)) });
    }
  }
  return (
    <FormDialog
      title={
        server === undefined
          ? t('Tags for {count, plural, one {# server} other {# servers}}', { count })
          : t('Tags for {server}', { server })
      }
      size="small"
      action={t('Save')}
      busy={isSaving}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Labelled id={inputId} label={t('New tag')}>
        <span className="input-group">
          <input
            id={inputId}
            className="input"
            value={text}
            maxLength={maxTagLength}
            placeholder={t('work, personal, …')}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return;
              event.preventDefault();
              create();
            }}
          />
          <Button icon={Plus} disabled={text.trim() === ''} onClick={create}>
            {t('Add')}
          </Button>
        </span>
      </Labelled>
      {known.length > 0 && (
        <fieldset className="choices">
          <legend className="sr-only">{t('Tags')}</legend>
          {known.map((tag) => (
            <TagCheck
              key={tag}
              tag={tag}
              share={choices[tag] === undefined ? (shares.get(tag) ?? 'none') : choices[tag] ? 'all' : 'none'}
              onChange={(isSet) => setChoices({ ...choices, [tag]: isSet })}
            />
          ))}
        </fieldset>
      )}
      <p className="field-hint">{t('Tags group servers in the list. Only you see them.')}</p>
    </FormDialog>
  );
}

function shareOf(servers: readonly ServerView[], tag: string): Share {
  const number = servers.filter(({ tags = [] }) => tags.includes(tag)).length;
  return number === 0 ? 'none' : number === servers.length ? 'all' : 'some';
}

function TagCheck({ tag, share, onChange }: { tag: string; share: Share; onChange(isSet: boolean): void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = share === 'some';
  }, [share]);
  return (
    <label className={`check ${styles.tag}`}>
      <input ref={box} type="checkbox" checked={share === 'all'} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <VisibleText text={tag} />
        {share === 'some' && <span className="muted small"> {t('on some servers')}</span>}
      </span>
    </label>
  );
}
