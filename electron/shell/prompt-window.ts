/**
 * One small window for the questions that no native dialog can carry. It is kept ready out of sight, since a page takes
 * longer to start than a question should wait. The page shows nothing until it is told to, the window is shown when the
 * question is painted and hidden when the page is empty again: nobody ever sees the question before.
 */
import { app, type BrowserWindow } from 'electron';
import type { PromptTurn } from '../../shared/ipc.ts';
import type { Answer } from '../../shared/model.ts';
import type { Host } from '../core/host.ts';
import type { PromptListener } from './ipc-wire.ts';

export type OpenPromptPage = (listener: PromptListener) => {
  window: BrowserWindow;
  tell(prompt: PromptTurn): void;
};

export interface PromptWindow {
  ask: NonNullable<Host['ask']>;
  keepReady(): void;
}

interface Kept extends ReturnType<OpenPromptPage> {
  isOpen: boolean;
  isShown: boolean;
  /** Somebody may have typed a secret: its memory goes with it. */
  hadSecret: boolean;
  turn: number;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Before the next one is made, so that neither the start nor an answer is slowed by it. */
const pauseMs = 3_000;
/** A page that says nothing is shown all the same: the person can close it. */
const showAfterMs = 500;
/** A page that does not become empty has hung. */
const emptyWithinMs = 1_000;
const maxCrashes = 3;

/** All questions share the window; closing it cancels them. */
export function createPromptWindow(open: OpenPromptPage): PromptWindow {
  const waiting = new Map<string, { isSecret: boolean; settle(answer: Answer | undefined): void }>();
  let kept: Kept | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isKeeping = false;
  /** In a row, without anything painted between them. */
  let crashes = 0;
  app.on('before-quit', () => {
    isKeeping = false;
    clearTimeout(pause);
  });

  function make(): Kept {
    clearTimeout(pause);
    pause = undefined;
    const isCurrent = () => kept === made;
    const made: Kept = {
      ...open({
        opened() {
          made.isOpen = true;
          if (isCurrent()) tellAll();
        },
        painted(turn, id) {
          crashes = 0;
          if (!isCurrent() || turn !== made.turn) return;
          if (id !== undefined) show(made);
          else if (made.isShown && waiting.size === 0) hide(made);
        },
        later: () => isCurrent() && settleAll(undefined),
      }),
      isOpen: false,
      isShown: false,
      hadSecret: false,
      turn: 0,
    };
    made.window.on('closed', () => {
      if (!isCurrent()) return;
      forget();
      settleAll({ action: 'cancel' });
    });
    made.window.webContents.on('render-process-gone', () => {
      if (!isCurrent()) return;
      crashes += 1;
      drop(made);
      if (waiting.size === 0) return;
      if (crashes < maxCrashes) kept = make();
      else settleAll({ action: 'cancel' });
    });
    return made;
  }

  function show(page: Kept): void {
    if (page.isShown) return;
    stopTimer(page);
    page.isShown = true;
    page.window.center();
    page.window.show();
    tell(page);
  }

  function hide(page: Kept): void {
    stopTimer(page);
    page.isShown = false;
    page.window.hide();
    tell(page);
  }

  function drop(page: Kept): void {
    forget();
    page.window.destroy();
  }

  function forget(): void {
    clearTimeout(kept?.timer);
    kept = undefined;
    makeLater();
  }

  /** One that crashes again and again is made when it is needed. */
  function makeLater(): void {
    if (!isKeeping || pause || crashes >= maxCrashes) return;
    pause = setTimeout(() => {
      pause = undefined;
      kept ??= make();
    }, pauseMs);
  }

  function tell(page: Kept): void {
    page.turn += 1;
    page.hadSecret ||= [...waiting.values()].some(({ isSecret }) => isSecret);
    page.tell({ turn: page.turn, ids: [...waiting.keys()], isShown: page.isShown });
  }

  /** Tells the page what waits, and sees to it that the window comes or goes even if the page says nothing. */
  function tellAll(): void {
    if (!kept?.isOpen) return;
    const page = kept;
    tell(page);
    if (waiting.size > 0 === page.isShown) stopTimer(page);
    else if (!page.isShown) page.timer ??= setTimeout(() => show(page), showAfterMs);
    else if (page.hadSecret) drop(page);
    else page.timer ??= setTimeout(() => drop(page), emptyWithinMs);
  }

  function stopTimer(page: Kept): void {
    clearTimeout(page.timer);
    page.timer = undefined;
  }

  function settleAll(answer: Answer | undefined): void {
    for (const { settle } of [...waiting.values()]) settle(answer);
  }

  return {
    ask: ({ id, fields }, signal) =>
      new Promise((resolve) => {
        const settle = (answer: Answer | undefined) => {
          if (!waiting.delete(id)) return;
          signal.removeEventListener('abort', withdraw);
          resolve(answer);
          tellAll();
        };
        const withdraw = () => settle(undefined);
        if (signal.aborted) return resolve(undefined);
        signal.addEventListener('abort', withdraw, { once: true });
        waiting.set(id, { isSecret: fields.some(({ kind }) => kind === 'secret'), settle });
        kept ??= make();
        tellAll();
      }),
    keepReady() {
      isKeeping = true;
      if (!kept) makeLater();
    },
  };
}
