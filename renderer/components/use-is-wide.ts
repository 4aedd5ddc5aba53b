/** Tells whether the window is wide enough for a list and its details side by side. */
import { useSyncExternalStore } from 'react';

/** Must match `page.module.css`. */
const wide = matchMedia('(min-width: 47.01rem)');

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}
