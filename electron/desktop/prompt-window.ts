/**
 * The small window that shows every question. It is loaded while hidden, because loading a page takes longer than a question
 * should wait. It is shown after the page has painted its question and hidden after the page has painted nothing, so a
 * previous question is never visible.
 *
 * Message boxes are not used: on macOS a message box without a parent window blocks the main process, cannot be withdrawn,
 * and has no delay that guards against an accidental click.
 */
import { app, type BrowserWindow, screen } from 'electron';
import type { Answer } from '../../shared/model/question.ts';
import type { PromptTurn } from '../../shared/protocol/ipc.ts';
import type { Host } from '../core/host.ts';
import type { PromptListener } from './ipc-wire.ts';

export type OpenPromptPage = (listener: PromptListener) => {
  window: BrowserWindow;
  tell(prompt: PromptTurn): void;
  /** A native file dialog is open over the window. */
  isPicking(): boolean;
};

export interface PromptWindow {
  /** `Host.ask`: resolves with undefined when the question is withdrawn or the user chooses to decide later. */
  ask: NonNullable<Host['ask']>;
  /** From now on, a hidden window is kept loaded. */
  keepReady(): void;
}

interface Kept extends ReturnType<OpenPromptPage> {
  isOpen: boolean;
  isShown: boolean;
  /** The page may hold a secret in memory, so it is destroyed instead of reused. */
  hadSecret: boolean;
  turn: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** Delay before a spare window is loaded, so that it does not slow down the start or an answer. */
const spareDelayMs = 3_000;
/** A page that does not report its paint is shown after this time, so that the user can close it. */
const showAfterMs = 500;
/** A page that is not empty after this time is unresponsive. */
const emptyWithinMs = 1_000;
const maxCrashes = 3;

/** All open questions share one window. Closing it cancels them. */
export function createPromptWindow(open: OpenPromptPage): PromptWindow {
  const waiting = new Map<string, { isSecret: boolean; settle(answer: Answer | undefined): void }>();
  let kept: Kept | undefined;
  let spareTimer: ReturnType<typeof setTimeout> | undefined;
  let isKeeping = false;
  /** Consecutive crashes without a paint between them. */
  let crashes = 0;
  app.on('before-quit', () => {
    isKeeping = false;
    clearTimeout(spareTimer);
  });

  function make(): Kept {
    clearTimeout(spareTimer);
    spareTimer = undefined;
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
    centerOnActiveDisplay(page.window);
    page.window.show();
    tell(page);
  }

  function hide(page: Kept): void {
    stopTimer(page);
    // Closes the file dialog too, which would otherwise stay open over a hidden window.
    if (page.isPicking()) {
      drop(page);
      return;
    }
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

  /** After repeated crashes, the window is created only when a question needs it. */
  function makeLater(): void {
    if (!isKeeping || spareTimer || crashes >= maxCrashes) return;
    spareTimer = setTimeout(() => {
      spareTimer = undefined;
      kept ??= make();
    }, spareDelayMs);
  }

  function tell(page: Kept): void {
    page.turn += 1;
    page.hadSecret ||= [...waiting.values()].some(({ isSecret }) => isSecret);
    page.tell({ turn: page.turn, ids: [...waiting.keys()], isShown: page.isShown });
  }

  /** Sends the page its open questions. Timers show or destroy the window if the page does not answer. */
  function tellAll(): void {
    if (!kept?.isOpen) return;
    const page = kept;
    tell(page);
    if (waiting.size > 0 === page.isShown) stopTimer(page);
    else if (!page.isShown) page.timer ??= setTimeout(() => show(page), showAfterMs);
    else if (page.hadSecret || page.isPicking()) drop(page);
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

/** Centers the window on the display with the mouse pointer. Wayland compositors place windows themselves and ignore this. */
function centerOnActiveDisplay(window: BrowserWindow): void {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { width, height } = window.getBounds();
  window.setPosition(
    Math.round(workArea.x + (workArea.width - width) / 2),
    Math.round(workArea.y + (workArea.height - height) / 2),
  );
}
