/** Tells the user about a new version of the app, and restarts to install it. */
import { CircleArrowUp } from 'lucide-react';
import type { UpdateView } from '../../shared/model/update.ts';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import styles from './banner.module.css';
import { Button } from './button.tsx';

/** Whether there is an update to tell the user about. */
export function hasNews(update: UpdateView | undefined): update is UpdateView {
  return update !== undefined && ['ready', 'waiting', 'available'].includes(update.state);
}

export function UpdateBanner({ update: { state, version = '', url } }: { update: UpdateView }) {
  const { link, toasts } = useStores();
  const restart = (wanted: boolean) => void toasts.attempt(() => link.call('updates.restart', { wanted }));
  return (
    <div className={`${styles.banner} ${styles.bannerPlain}`} role="status">
      <CircleArrowUp className="icon accent" aria-hidden />
      <p>
        <strong>
          {state === 'available'
            ? t('Toolkeep {version} is available.', { version })
            : t('Toolkeep {version} is ready.', { version })}
        </strong>{' '}
        {state === 'waiting' && t('It will be installed as soon as no call is running and no question is open.')}
      </p>
      {state === 'ready' && <Button onClick={() => restart(true)}>{t('Restart to update')}</Button>}
      {state === 'waiting' && (
        <Button look="quiet" onClick={() => restart(false)}>
          {t('Not now')}
        </Button>
      )}
      {state === 'available' && (
        <Button onClick={() => window.open(url, '_blank', 'noopener,noreferrer')}>{t('Download…')}</Button>
      )}
    </div>
  );
}
