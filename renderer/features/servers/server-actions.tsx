/** The actions of a server: the next step is a button, all others are in a menu. */
import {
  Copy,
  FileBraces,
  LogIn,
  LogOut,
  Pencil,
  Play,
  Power,
  PowerOff,
  RotateCw,
  Square,
  Tags,
  Trash2,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { type FailureCode, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig, ServerView } from '../../../shared/model/server.ts';
import { serverYaml } from '../../../shared/yaml-text.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../components/copy-block.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import pageStyles from '../../components/page.module.css';
import { Path } from '../../components/path.tsx';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';

/** Failures that a change of the server's settings may end. */
const editable: ReadonlySet<string> = new Set<FailureCode>([
  'SERVER_SPAWN_FAILED',
  'SERVER_TIMEOUT',
  'SERVER_UNREACHABLE',
]);

export function ServerActions({ server }: { server: ServerView }) {
  const { link, toasts } = useStores();
  const [isRemoving, setRemoving] = useState(false);
  const [isTagging, setTagging] = useState(false);
  const [editing, setEditing] = useState<{ config: ServerConfig; isCopy: boolean }>();
  const name = { server: server.id };
  const isDisabled = server.status === 'disabled';
  const setEnabled = (enabled: boolean) =>
    void toasts.attempt(() => link.call('servers.setEnabled', { ...name, enabled }));

  async function restart(): Promise<void> {
    const view = await link.call('servers.restart', name);
    // A failed start also resolves; the status and failure below report it.
    if (view.status === 'ready') toasts.success(t('{server} is running.', { server: server.id }));
  }
  async function edit(isCopy: boolean): Promise<void> {
    const config = await toasts.attempt(() => link.call('servers.config', name));
    if (config) setEditing({ config, isCopy });
  }
  async function copyYaml(): Promise<void> {
    const setup = await toasts.attempt(() => link.call('setup.export'));
    const config = setup?.servers.find(({ name: other }) => other === server.id);
    if (!config) return;
    await copyText(serverYaml(config));
    toasts.success(t('Copied for a config file, without secrets.'));
  }
  return (
    <div className={pageStyles.detailActions}>
      <SignInButtons server={server} />
      {isDisabled ? (
        <Button look="primary" icon={Power} onClick={() => setEnabled(true)}>
          {t('Enable')}
        </Button>
      ) : server.signIn === 'needed' ? null : (
        <ActionButton
          icon={server.status === 'idle' ? Play : RotateCw}
          busy={server.status === 'starting'}
          run={restart}
        >
          {server.status === 'idle' ? t('Start') : server.status === 'failed' ? t('Try again') : t('Restart')}
        </ActionButton>
      )}
      {editable.has(server.failure?.code ?? '') && !isDisabled && (
        <Button icon={Pencil} onClick={() => void edit(false)}>
          {t('Edit…')}
        </Button>
      )}
      <Menu
        label={t('More for {server}', { server: server.id })}
        items={[
          {
            label: t('Edit…'),
            icon: Pencil,
            disabled: server.transport === 'plugin',
            onSelect: () => void edit(false),
          },
          {
            label: t('Duplicate…'),
            icon: Copy,
            disabled: server.transport === 'plugin',
            onSelect: () => void edit(true),
          },
          {
            label: t('Copy as YAML'),
            icon: FileBraces,
            disabled: server.transport === 'plugin',
            onSelect: () => void copyYaml(),
          },
          { label: t('Edit tags…'), icon: Tags, onSelect: () => setTagging(true) },
          {
            label: t('Stop'),
            icon: Square,
            disabled: server.status !== 'ready' && server.status !== 'starting',
            onSelect: () =>
              void toasts.attempt(() => link.call('servers.stop', name), t('Stopped {server}.', { server: server.id })),
          },
          isDisabled
            ? { label: t('Enable'), icon: Power, onSelect: () => setEnabled(true) }
            : { label: t('Disable'), icon: PowerOff, onSelect: () => setEnabled(false) },
          ...(server.signIn === 'signedIn'
            ? [
                {
                  label: t('Sign out'),
                  icon: LogOut,
                  onSelect: () =>
                    void toasts.attempt(
                      () => link.call('servers.signOut', name),
                      t('Signed out of {server}.', { server: server.id }),
                    ),
                },
              ]
            : []),
          { label: t('Remove…'), icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
        ]}
      />
      {editing && <ServerDialog {...editing} onClose={() => setEditing(undefined)} />}
      {isTagging && <TagDialog servers={[server]} onClose={() => setTagging(false)} />}
      {isRemoving && <RemoveServerDialog server={server} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function SignInButtons({ server }: { server: ServerView }) {
  const { link, toasts } = useStores();
  const [isSigningIn, setSigningIn] = useState(false);
  const isCancelled = useRef(false);
  const name = { server: server.id };

  async function signIn(): Promise<void> {
    setSigningIn(true);
    isCancelled.current = false;
    try {
      await link.call('servers.signIn', name);
      toasts.success(t('You are signed in to {server}.', { server: server.id }));
    } catch (error) {
      if (!isCancelled.current) toasts.error(toFailure(error));
    } finally {
      setSigningIn(false);
    }
  }
  function cancelSignIn(): void {
    isCancelled.current = true;
    void toasts.attempt(() => link.call('servers.cancelSignIn', name));
  }
  return (
    <>
      {server.signIn === 'needed' && server.status !== 'disabled' && (
        <Button look="primary" icon={LogIn} busy={isSigningIn} onClick={() => void signIn()}>
          {isSigningIn ? t('Waiting for your browser…') : t('Sign in…')}
        </Button>
      )}
      {server.signInPage && <Button onClick={cancelSignIn}>{t('Cancel')}</Button>}
    </>
  );
}

function RemoveServerDialog({ server, onClose }: { server: ServerView; onClose(): void }) {
  const { link, toasts } = useStores();
  const name = { server: server.id };
  const { data, failure } = useCommand('servers.copies', [], { server: server.id });
  const copies = failure ? [] : data?.files;
  function afterRemove(): void {
    navigate('servers');
    toasts.undoable(t('Removed {server}.', { server: server.id }), () =>
      link.call('servers.restore', name).then(() => navigate('servers', server.id)),
    );
  }
  return (
    <ConfirmDialog
      title={t('Remove {server}?', { server: server.id })}
      action={t('Remove')}
      onClose={onClose}
      onConfirm={() =>
        void toasts
          .attempt(() => link.call('servers.remove', name).then(() => true))
          .then((isRemoved) => isRemoved && afterRemove())
      }
    >
      {copies?.length === 0 && (
        <p>{t('This server exists only in Toolkeep. If you signed in to it, the sign-in is deleted.')}</p>
      )}
      {copies?.[0] !== undefined && (
        <p>
          <T text="You can import it again from {file}." file={<Path path={copies[0]} />} />
        </p>
      )}
      <p>{t('For 30 days, you can put it back with its secrets, below the list of servers.')}</p>
    </ConfirmDialog>
  );
}
