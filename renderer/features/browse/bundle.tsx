/** Bundles (`.mcpb`, `.dxt`) that the user drops, chooses or opens. Shows the plan; installs nothing without confirmation. */
import { PackageOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { fail, toFailure } from '../../../shared/failure.ts';
import { FileButton } from '../../components/file-button.tsx';
import { Page } from '../../components/page.tsx';
import { sendFile } from '../../components/send-file.ts';
import { Empty } from '../../components/states.tsx';
import type { Link } from '../../stores/link.ts';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './browse.module.css';
import { EntryDetail } from './entry-detail.tsx';

const extensions = ['.mcpb', '.dxt'];
const isBundle = ({ name }: File) => extensions.some((extension) => name.toLowerCase().endsWith(extension));

/** Shows the bundle. The only route segment is its file. */
export function BundleView({ segments: [file] }: { segments: string[] }) {
  const { link } = useStores();
  useEffect(() => {
    const place = location.hash;
    // Core keeps an uploaded bundle only for this view.
    return () => {
      if (file !== undefined && location.hash !== place) link.call('bundle.discard', { file }).catch(() => undefined);
    };
  }, [link, file]);
  return (
    <Page title={t('Bundle')} actions={<BundleButton />}>
      {file === undefined ? (
        <Empty
          icon={PackageOpen}
          title={t('Choose a bundle')}
          text={t(
            'Drop a file (.mcpb, .dxt) on the window, or choose one. Before anything runs, you see what the installation will do.',
          )}
        />
      ) : (
        <EntryDetail key={file} start={{ registry: 'file', name: '', file }} />
      )}
    </Page>
  );
}

/** Chooses a bundle. `onChosen` is called before it is shown. */
export function BundleButton({ onChosen }: { onChosen?(): void }) {
  const open = useOpenBundle();
  return (
    <FileButton
      label={t('Bundle')}
      accept={extensions.join(',')}
      icon={PackageOpen}
      onFile={(file) => open(file, onChosen)}
    >
      {t('Open a bundle…')}
    </FileButton>
  );
}

/** Accepts bundles that are dropped anywhere on the window. */
export function DroppedBundles() {
  const open = useOpenBundle();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      // A field that takes files has handled the event.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const file = [...(event.dataTransfer?.files ?? [])].find(isBundle);
      if (file) void open(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [open]);
  return isOver ? (
    <div className={styles.drop} aria-hidden>
      {t('Drop a bundle (.mcpb, .dxt) to see what it would install')}
    </div>
  ) : null;
}

function useOpenBundle(): (file: File, onSent?: () => void) => Promise<void> {
  const { link, toasts } = useStores();
  const [open] = useState(() => async (file: File, onSent?: () => void) => {
    try {
      const place = await send(link, file);
      onSent?.();
      navigate('bundle', place);
    } catch (error) {
      toasts.error(toFailure(error));
    }
  });
  return open;
}

function send(link: Link, file: File): Promise<string> {
  if (file.size === 0) throw fail('INPUT_INVALID', t('The file is empty.'));
  return sendFile(file, (part, id) => link.call('bundle.receive', { part, id }));
}
