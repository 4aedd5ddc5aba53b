/** Progress of a running call: elapsed time, what the server reports, and a button that cancels it. */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { duration } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useNow } from '../../components/use-now.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './try-tool.module.css';

interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export function CallProgress({ callId }: { callId: string }) {
  const { link, toasts } = useStores();
  const [startedAt] = useState(Date.now);
  const elapsedMs = useNow(250) - startedAt;
  const [progress, setProgress] = useState<Progress>();
  const [isCanceling, setCanceling] = useState(false);

  useEffect(() => link.on('calls.progress', (event) => event.callId === callId && setProgress(event)), [link, callId]);

  function cancel(): void {
    setCanceling(true);
    void toasts.attempt(() => link.call('tools.cancel', { callId }));
  }
  return (
    <div className={styles.progress}>
      <progress
        aria-label={t('Progress')}
        max={progress?.total}
        value={progress?.total ? progress.progress : undefined}
      />
      <span className="muted small">{duration(Math.max(0, Math.floor(elapsedMs / 1000)) * 1000)}</span>
      <Button icon={X} busy={isCanceling} onClick={cancel}>
        {t('Cancel')}
      </Button>
      {progress?.message && <VisibleText as="p" className="muted small" role="status" text={progress.message} />}
    </div>
  );
}
