/**
 * The dialogs that open from any view: the command palette, the list of shortcuts, and the dialog that adds a server.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type OverlayName = 'palette' | 'shortcuts' | 'add-server';

interface OverlayState {
  open: OverlayName | undefined;
  /** With `add-server`: the text that the dialog starts with. */
  pasted?: string | undefined;
  /** IDs of the palette's entries that were used last, newest first. */
  recent: readonly string[];
}

export interface Overlay {
  readonly state: StoreApi<OverlayState>;
  show(open: OverlayName | undefined, pasted?: string): void;
  /** Remembers that the user used an entry of the palette. */
  used(entry: string): void;
}

const maxRecent = 5;

export function createOverlay(): Overlay {
  const state = createStore<OverlayState>(() => ({ open: undefined, recent: [] }));
  return {
    state,
    show: (open, pasted) => state.setState({ open, pasted }),
    used: (entry) =>
      state.setState(({ recent }) => ({ recent: [entry, ...recent.filter((id) => id !== entry)].slice(0, maxRecent) })),
  };
}
