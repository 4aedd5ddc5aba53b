/** What crosses between the window's preload and the main process: one channel, these messages. */

export const ipcChannel = 'gatehouse';

/** From the page. `open` begins a new document: whatever was open before in that window is over. */
export type ToMain =
  | { kind: 'open' }
  | { kind: 'frame'; frame: unknown }
  | { kind: 'pickFile'; id: number; folder: boolean };

export type ToPage =
  | { kind: 'frame'; frame: unknown }
  | { kind: 'closed' }
  | { kind: 'picked'; id: number; path: string | undefined };
