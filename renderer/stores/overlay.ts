/**
 * The dialogs that open from any view: the command palette, the list of shortcuts, and the dialog that adds a server.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type OverlayName = 'palette' | 'shortcuts' | 'add-server';

export interface Overlay {
  readonly state: StoreApi<{ open: OverlayName | undefined }>;
  show(open: OverlayName | undefined): void;
}

export function createOverlay(): Overlay {
  const state = createStore<{ open: OverlayName | undefined }>(() => ({ open: undefined }));
  return { state, show: (open) => state.setState({ open }) };
}
