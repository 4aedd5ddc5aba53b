/** Trusted folders, and the folder whose configuration is ignored until the user trusts it. */
import { FolderLock, FolderPlus, FolderX } from 'lucide-react';
import { useState } from 'react';
import type { TrustedFolderView } from '../../../shared/model/trust.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { TextInput } from '../../components/controls.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf, navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import styles from './folder-review.module.css';
import { FolderReview } from './folder-review.tsx';

/** `reviewed`: the folder whose review is open. */
export function FolderSettings({ reviewed }: { reviewed: string | undefined }) {
  const { link, toasts, config } = useStores();
  const { data, failure, load } = useCommand('trust.list', ['config.changed']);
  const ignored = useResource(config).data?.shown.folder;
  const [isAsking, setAsking] = useState(false);

  async function revoke({ folder }: TrustedFolderView): Promise<void> {
    await toasts.attempt(async () => {
      await link.call('trust.revoke', { folder });
      toasts.undoable(
        t('{folder} is no longer trusted.', { folder }),
        () => link.call('trust.restore', { folder }),
        t('{folder} is trusted again.', { folder }),
      );
    });
  }

  return (
    <>
      {ignored?.file && ignored.status === 'untrusted' && <IgnoredFolder folder={ignored.path} file={ignored.file} />}
      <Section
        title={t('Trusted folders')}
        aside={
          <Button icon={FolderPlus} onClick={() => setAsking(true)}>
            {t('Review a folder…')}
          </Button>
        }
      >
        <p className="muted">
          {t(
            'A project’s configuration applies when Toolkeep is started in its folder, and only while its files are as you reviewed them.',
          )}
        </p>
        {!data && <Unloaded failure={failure} label={t('Loading folders')} rows={2} onRetry={load} />}
        {data?.length === 0 && <p className="muted">{t('You have not trusted any folders.')}</p>}
        {data && data.length > 0 && (
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Trusted folders')}>
            {data.map((folder) => (
              <TrustedFolder key={folder.folder} trusted={folder} onRevoke={() => void revoke(folder)} />
            ))}
          </ul>
        )}
      </Section>
      {isAsking && <FolderDialog onClose={() => setAsking(false)} />}
      {reviewed && <FolderReview key={reviewed} folder={reviewed} onClose={() => navigate('settings', 'folders')} />}
    </>
  );
}

function IgnoredFolder({ folder, file }: { folder: string; file: string }) {
  return (
    <Section title={t('Ignored')}>
      <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Ignored folders')}>
        <li className={`${rowsStyles.row} ${rowsStyles.rowStill} ${styles.folder}`}>
          <FolderLock className="icon warn" aria-hidden />
          <span className={`${rowsStyles.rowMain} ${styles.folderMain}`}>
            <VisibleText as="span" className={rowsStyles.rowTitle} text={folder} />
            <span className="muted small">
              <T text="You have not trusted it, so Toolkeep ignores {file}." file={<VisibleText text={file} />} />
            </span>
          </span>
          <ReviewLink folder={folder} />
        </li>
      </ul>
    </Section>
  );
}

const stateBadges = {
  active: <Badge tone="good">{t('In use')}</Badge>,
  inactive: undefined,
  changed: <Badge tone="warn">{t('Changed, ignored')}</Badge>,
};

function TrustedFolder({ trusted, onRevoke }: { trusted: TrustedFolderView; onRevoke(): void }) {
  const { folder, files, trustedAt, state, adds, stricter, loosens } = trusted;
  const lines = [
    [t('Adds'), adds],
    [t('Tightens'), stricter],
    [t('Weakens (accepted)'), loosens],
  ] as const;
  return (
    <li className={`${rowsStyles.row} ${rowsStyles.rowStill} ${styles.folder}`}>
      <span className={`${rowsStyles.rowMain} ${styles.folderMain}`}>
        <span className={rowsStyles.rowTitle}>
          <VisibleText text={folder} />
          {stateBadges[state]}
        </span>
        <span className="muted small">
          {t('{count, plural, one {# file} other {# files}}, trusted {time}', {
            count: files,
            time: moment(trustedAt),
          })}
        </span>
        {lines.flatMap(([label, texts]) =>
          [...new Set(texts)].map((text) => (
            <span key={label + text} className="muted small">
              {label}: <VisibleText text={text} />
            </span>
          )),
        )}
      </span>
      <ReviewLink folder={folder} />
      <Button icon={FolderX} aria-label={t('Revoke trust in {folder}', { folder })} onClick={onRevoke}>
        {t('Revoke')}
      </Button>
    </li>
  );
}

function ReviewLink({ folder }: { folder: string }) {
  return (
    <a
      className="button button-plain"
      href={hrefOf('settings', 'folders', folder)}
      aria-label={t('Review the configuration of {folder}', { folder })}
    >
      {t('Review…')}
    </a>
  );
}

/** Asks for a folder path, because a web page cannot open the native dialog. */
function FolderDialog({ onClose }: { onClose(): void }) {
  const [path, setPath] = useState('');
  const pick = window.toolkeep?.pickFile;
  return (
    <FormDialog
      size="small"
      title={t('Review a folder')}
      action={t('Review')}
      disabled={path.trim() === ''}
      onSubmit={() => {
        onClose();
        navigate('settings', 'folders', path.trim());
      }}
      onClose={onClose}
    >
      <TextInput
        mono
        label={t('Folder')}
        value={path}
        placeholder="~/work/shop"
        hint={t('The project folder, which contains .toolkeep or toolkeep.config. Nothing runs until you allow it.')}
        onChange={setPath}
      />
      {pick && (
        <Button onClick={() => void pick({ pick: 'folder' }).then((chosen) => chosen && setPath(chosen))}>
          {t('Choose…')}
        </Button>
      )}
    </FormDialog>
  );
}
