/** What the app wants of a page that is its prompt window; a page in a browser shows all that is open. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PromptTurn } from '../../shared/ipc.ts';

/** The part of the preload's bridge that only a prompt window uses. */
export interface PromptBridge {
  onTurn(listener: (turn: PromptTurn) => void): void;
  painted(turn: number, id: string | undefined): void;
  later(): void;
}

export interface PromptState {
  /** Absent where no app says what to show. */
  turn: PromptTurn | undefined;
  /** Nobody can have read what is not shown. */
  isShown: boolean;
}

export interface PromptStore {
  readonly state: StoreApi<PromptState>;
  /** Tells the app what of its turn is on screen. */
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
