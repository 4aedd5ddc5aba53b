/** The window's keyboard shortcuts: the list that handles them, and the dialog that lists them. */
import { Fragment, useEffect } from 'react';
import { useStore } from 'zustand';
import { Dialog, DialogBody } from '../../components/dialog.tsx';
import type { OverlayName } from '../../stores/overlay.ts';
import { navigate, type View } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { ServerDialog } from '../servers/server-dialog.tsx';
import styles from './palette.module.css';
import { Palette } from './palette.tsx';

const isMac = navigator.platform.startsWith('Mac');
const modifier = isMac ? '⌘' : t('Ctrl');

/** The views in the order of the navigation. */
const views: readonly View[] = ['home', 'servers', 'tools', 'rules', 'clients', 'history', 'settings', 'notifications'];

/** Handles the shortcuts, and renders the dialogs that they open. */
export function Shortcuts() {
  const { appearance, overlay } = useStores();
  const { open, pasted } = useStore(overlay.state);
  const usesSingleKeys = useStore(appearance.state, (state) => state.singleKeyShortcuts);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const wanted = shortcutOf(event, usesSingleKeys);
      if (!wanted) return;
      event.preventDefault();
      if (wanted === 'filter') document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      else if (wanted === 'palette' || wanted === 'shortcuts' || wanted === 'add-server') overlay.show(wanted);
      else navigate(wanted);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [overlay, usesSingleKeys]);
  const close = () => overlay.show(undefined);
  if (open === 'shortcuts') return <ShortcutSheet usesSingleKeys={usesSingleKeys} onClose={close} />;
  if (open === 'add-server') return <ServerDialog pasted={pasted} onClose={close} />;
  return open === 'palette' ? <Palette onClose={close} /> : null;
}

/** Undefined while a dialog is open, because the dialog handles the keyboard. */
function shortcutOf(event: KeyboardEvent, usesSingleKeys: boolean): OverlayName | View | 'filter' | undefined {
  if (document.querySelector('dialog[open]') || event.altKey) return undefined;
  if (isMac ? event.metaKey : event.ctrlKey) {
    if (event.key.toLowerCase() === 'k') return 'palette';
    if (event.key.toLowerCase() === 'n' && !event.shiftKey) return 'add-server';
    if (event.key === '/') return 'shortcuts';
    return /^[1-8]$/.test(event.key) ? views[Number(event.key) - 1] : undefined;
  }
  if (!usesSingleKeys || event.ctrlKey || event.metaKey || isTyping(event.target)) return undefined;
  if (event.key === '?') return 'shortcuts';
  return event.key === '/' ? 'filter' : undefined;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

const rows = (usesSingleKeys: boolean): [string, string[]][] => [
  [t('Command palette'), [modifier, 'K']],
  [t('Add a server'), [modifier, 'N']],
  [t('Home, Servers, Tools, Rules, Clients, History, Settings, Notifications'), [modifier, '1 – 8']],
  ...(usesSingleKeys ? ([[t('Filter the list'), ['/']]] as [string, string[]][]) : []),
  [t('Move through a list'), ['↑', '↓']],
  [t('Open the selected entry'), [t('Enter')]],
  [t('Close a dialog or decide later'), [t('Esc')]],
  [t('Show this list'), usesSingleKeys ? ['?'] : [modifier, '/']],
];

function ShortcutSheet({ usesSingleKeys, onClose }: { usesSingleKeys: boolean; onClose(): void }) {
  return (
    <Dialog title={t('Keyboard shortcuts')} size="small" onClose={onClose}>
      <DialogBody>
        <dl className={styles.keys}>
          {rows(usesSingleKeys).map(([label, keys]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                {keys.map((key) => (
                  <Fragment key={key}>
                    <kbd>{key}</kbd>{' '}
                  </Fragment>
                ))}
              </dd>
            </Fragment>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  );
}
