/** What crosses between the window's preload and the main process: one channel, these messages. */

export const ipcChannel = 'gatehouse';

/** From the page. `open` begins a new document: whatever was open before in that window is over. */
export type ToMain =
  | { kind: 'open' }
  | { kind: 'frame'; frame: unknown }
  | { kind: 'pickFile'; id: number; folder: boolean }
  /** From a prompt window: of what it was told in `turn`, this question is on screen now, or none. */
  | { kind: 'painted'; turn: number; id?: string | undefined }
  /** From a prompt window: the person wants to decide later. */
  | { kind: 'later' };

/** What a prompt window is to show: these questions and no others, and whether the person sees it yet. */
export interface PromptTurn {
  turn: number;
  ids: readonly string[];
  isShown: boolean;
}

export type ToPage =
  | { kind: 'frame'; frame: unknown }
  | { kind: 'closed' }
  | { kind: 'picked'; id: number; path: string | undefined }
  | { kind: 'prompt'; prompt: PromptTurn };
