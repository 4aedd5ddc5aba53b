/**
 * Guards against accidental clicks and keys: a button that allows something works only after the user has had time to read
 * the question.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';

const armAfterMs = 600;

/** False for a moment after `id` changes and after the window becomes visible. */
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
