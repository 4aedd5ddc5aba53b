/**
 * The messages between a window's preload script and the main process, all on one channel. A frame is JSON, because Electron does not
 * pass deeply nested objects between the worlds of a page.
 */

export const ipcChannel = 'toolkeep';

/** The native file dialog that a page asks for. `extensions` are lower case, without the dot. */
export interface PickOptions {
  pick: 'file' | 'folder' | 'save';
  extensions?: string[];
}

/** Messages from the page. `open` announces a new document, which ends the Wire of the window's previous document. */
export type ToMain =
  | { kind: 'open' }
  | { kind: 'frame'; frame: string }
  | { kind: 'pickFile'; id: number; options: PickOptions }
  /** From a prompt window: the page has painted `turn`, which shows the question `id` or no question. */
  | { kind: 'painted'; turn: number; id?: string }
  /** From a prompt window: the user will decide later. */
  | { kind: 'later' };

/** The questions that a prompt window shows, and whether the window is visible. */
export interface PromptTurn {
  turn: number;
  ids: readonly string[];
  isShown: boolean;
}

export type ToPage =
  | { kind: 'frame'; frame: string }
  | { kind: 'closed' }
  | { kind: 'picked'; id: number; path: string | undefined }
  | { kind: 'prompt'; prompt: PromptTurn };
