/** Notices about a newer version of a server or a withdrawn entry, and the button that reverts the last update. */
import { RefreshCw, Undo2 } from 'lucide-react';
import { ActionButton } from '../../components/action-button.tsx';
import noteStyles from '../../components/note.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './server-detail.module.css';

export function VersionNotice({ server }: { server: string }) {
  const { installed } = useStores();
  const own = useResource(installed).data?.find((one) => one.server === server);
  if (!own) return null;
  const { origin, latest, previous, withdrawn } = own;
  const isOutdated = latest !== undefined && latest !== origin.version;
  return (
    <>
      {withdrawn !== undefined && (
        <p className={`${noteStyles.note} ${noteStyles.noteWarn}`}>
          <T text="This server was withdrawn from its registry: {reason}" reason={<VisibleText text={withdrawn} />} />
        </p>
      )}
      {isOutdated && (
        <div className={`${noteStyles.note} ${styles.signIn} line`}>
          <p>
            <T
              text="Update available: version {latest}. You have {version}."
              latest={<VisibleText text={latest} />}
              version={<VisibleText text={origin.version} />}
            />
          </p>
          <a className="button button-plain" href={hrefOf('servers', server, 'update')}>
            <RefreshCw className="icon" aria-hidden />
            {t('See what changes')}
          </a>
        </div>
      )}
      {previous !== undefined && <WayBack server={server} version={origin.version} previous={previous} />}
    </>
  );
}

function WayBack({ server, version, previous }: { server: string; version: string; previous: string }) {
  const { link, toasts } = useStores();
  async function revert(): Promise<void> {
    await link.call('registry.revert', { server });
    toasts.success(t('{server} is back on version {previous}.', { server, previous }));
  }
  return (
    <div className={`${noteStyles.note} ${styles.signIn} line`}>
      <p>
        <T
          text="Updated from {previous} to {version}."
          previous={<VisibleText text={previous} />}
          version={<VisibleText text={version} />}
        />
      </p>
      <ActionButton icon={Undo2} run={revert}>
        <T text="Go back to {previous}" previous={<VisibleText text={previous} />} />
      </ActionButton>
    </div>
  );
}
