/** State of the prompt window: the questions that the app assigned to it. A browser page shows every open question. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PromptTurn } from '../../shared/protocol/ipc.ts';

/** The part of the preload bridge that only a prompt window uses. */
export interface PromptBridge {
  onTurn(listener: (turn: PromptTurn) => void): void;
  painted(turn: number, id: string | undefined): void;
  later(): void;
}

export interface PromptState {
  /** Undefined when the page is not a prompt window. */
  turn: PromptTurn | undefined;
  /** Whether the window is visible. A hidden question cannot have been read. */
  isShown: boolean;
}

export interface PromptStore {
  readonly state: StoreApi<PromptState>;
  /** Reports to the app which question is on screen. */
  painted(turn: PromptTurn, id: string | undefined): void;
  decideLater(): void;
}

export function createPrompt(bridge: PromptBridge | undefined): PromptStore {
  const nothing = { turn: 0, ids: [], isShown: false };
  const state = createStore<PromptState>(() => ({ turn: bridge && nothing, isShown: !bridge }));
  bridge?.onTurn((turn) => state.setState({ turn, isShown: turn.isShown }));
  return {
    state,
    painted: ({ turn }, id) => bridge?.painted(turn, id),
    decideLater: () => (bridge ? bridge.later() : window.close()),
  };
}
