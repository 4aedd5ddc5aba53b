/** Short messages at the corner, read out politely. */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import { IconButton } from './button.tsx';
import { VisibleText } from './server-text.tsx';

export function NoticeList() {
  const { notices: store } = useStores();
  const notices = useStore(store.state, (state) => state.notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text, hint, href }) => {
        const Icon = tone === 'good' ? CircleCheck : CircleAlert;
        return (
          <div key={id} className={`notice notice-${tone}`}>
            <Icon className="icon" aria-hidden />
            <div>
              <p>
                <VisibleText text={text} />
              </p>
              {hint && <p className="muted">{hint}</p>}
              {href && (
                <a href={href} onClick={() => store.dismiss(id)}>
                  Show it
                </a>
              )}
            </div>
            <IconButton label="Dismiss" icon={X} onClick={() => store.dismiss(id)} />
          </div>
        );
      })}
    </div>
  );
}
