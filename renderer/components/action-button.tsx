/** A button that is busy until its action ends. A failure is shown as a toast. */
import { type ComponentProps, useState } from 'react';
import { useStores } from '../stores/stores.ts';
import { Button } from './button.tsx';

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  run(): Promise<unknown>;
}

export function ActionButton({ run, busy, ...button }: ActionButtonProps) {
  const { toasts } = useStores();
  const [isRunning, setRunning] = useState(false);
  return (
    <Button
      {...button}
      busy={busy || isRunning}
      onClick={() => {
        setRunning(true);
        void toasts.attempt(run).finally(() => setRunning(false));
      }}
    />
  );
}
