/** The queue of questions as every face sees it; the oldest is shown until it is answered or set aside. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toFailure } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model.ts';
import type { Link } from './link.ts';
import type { PromptStore } from './prompt.ts';

export interface QuestionsState {
  queue: Question[];
  currentId: string | undefined;
  /** The person chose "decide later": the queue waits behind a button until something new arrives. */
  setAside: boolean;
  problems: Record<string, string>;
  sending: boolean;
}

export interface QuestionsStore {
  readonly state: StoreApi<QuestionsState>;
  answer(question: Question, answer: Answer): Promise<void>;
  show(id?: string): void;
  decideLater(): void;
  /** Moves to the next or previous question without answering. */
  step(by: 1 | -1): void;
}

/** A prompt window has only those questions that it is there for: others stand in dialogs of the machine. */
export function createQuestions(link: Link, prompt: PromptStore): QuestionsStore {
  let all: readonly Question[] = [];
  const state = createStore<QuestionsState>(() => ({
    queue: [],
    currentId: undefined,
    setAside: false,
    problems: {},
    sending: false,
  }));

  async function load(): Promise<void> {
    try {
      receive(await link.call('questions.list'));
    } catch {
      // The connection is gone; its banner says so, and the next connection asks again.
    }
  }

  function receive(list: readonly Question[]): void {
    all = list;
    const ids = prompt.state.getState().turn?.ids;
    const mine = ids ? all.filter(({ id }) => ids.includes(id)) : all;
    const queue = mine.toSorted((a, b) => a.createdAt - b.createdAt);
    const before = state.getState();
    const isNew = queue.some(({ id }) => !before.queue.some((known) => known.id === id));
    const current = queue.find(({ id }) => id === before.currentId);
    state.setState({
      queue,
      currentId: (current ?? queue[0])?.id,
      problems: current ? before.problems : {},
      setAside: before.setAside && !isNew && queue.length > 0,
    });
  }

  link.on('questions.changed', () => void load());
  link.onOpen(() => void load());
  prompt.state.subscribe(() => receive(all));

  return {
    state,
    async answer(question, answer) {
      state.setState({ sending: true, problems: {} });
      try {
        const { accepted, problems } = await link.call('questions.answer', { id: question.id, answer });
        if (!accepted && problems && Object.keys(problems).length > 0) state.setState({ problems });
        else receive(all.filter(({ id }) => id !== question.id));
      } catch (error) {
        state.setState({ problems: { '': toFailure(error).message } });
      } finally {
        state.setState({ sending: false });
      }
    },
    show: (id) => state.setState(({ currentId }) => ({ setAside: false, currentId: id ?? currentId })),
    decideLater: () => state.setState({ setAside: true }),
    step(by) {
      const { queue, currentId } = state.getState();
      const index = queue.findIndex(({ id }) => id === currentId);
      const next = queue[(index + by + queue.length) % queue.length];
      if (next) state.setState({ currentId: next.id, problems: {} });
    },
  };
}
