/** Guards against a stray click or Enter: what allows something works only after the person could have seen it. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';

const armAfterMs = 600;

/** False for a moment after `id` changed and after the window came into view. */
export function useArmed(id: string): boolean {
  const { isShown } = useStore(useStores().prompt.state);
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function arm(): void {
      clearTimeout(timer);
      setArmed(undefined);
      if (isShown && document.visibilityState === 'visible') timer = setTimeout(() => setArmed(id), armAfterMs);
    }
    arm();
    addEventListener('focus', arm);
    document.addEventListener('visibilitychange', arm);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', arm);
      document.removeEventListener('visibilitychange', arm);
    };
  }, [id, isShown]);
  return armed === id;
}
