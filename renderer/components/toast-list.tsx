/** The stack of toasts in the corner, a polite live region. While a dialog is open, it is part of it, because the rest is inert. */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import { IconButton } from './button.tsx';
import { useTopDialog } from './dialog.tsx';
import styles from './toast-list.module.css';
import { VisibleText } from './untrusted-text.tsx';

export function ToastList() {
  const { toasts: store } = useStores();
  const toasts = useStore(store.state, (state) => state.toasts);
  const dialog = useTopDialog();
  const list = (
    <div className={styles.toasts} role="status" aria-live="polite">
      {toasts.map(({ id, tone, text, hint, href, action }) => {
        const Icon = tone === 'success' ? CircleCheck : CircleAlert;
        return (
          <div key={id} data-corner className={styles.toast}>
            <Icon className={tone === 'success' ? 'icon good' : 'icon bad'} aria-hidden />
            <div>
              <VisibleText as="p" text={text} />
              {hint && <p className="muted">{hint}</p>}
              {href && (
                <a href={href} onClick={() => store.dismiss(id)}>
                  {t('Show')}
                </a>
              )}
              {action && (
                <button
                  type="button"
                  className="link-button"
                  onClick={() => {
                    store.dismiss(id);
                    action.run();
                  }}
                >
                  {action.label}
                </button>
              )}
            </div>
            <IconButton label={t('Dismiss')} icon={X} onClick={() => store.dismiss(id)} />
          </div>
        );
      })}
    </div>
  );
  return dialog ? createPortal(list, dialog) : list;
}
