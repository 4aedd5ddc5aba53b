/**
 * The small window that shows every question. It is loaded while hidden, because loading a page takes longer than a question
 * should wait.
 *
 * Message boxes are not used: on macOS a message box without a parent window blocks the main process, cannot be withdrawn,
 * and has no delay that guards against an accidental click.
 */
import { app } from 'electron';
import type { Answer, Question } from '../../shared/model/question.ts';
import { createPromptPage, type OpenPromptPage, type PromptPage } from './prompt-page.ts';

export type PromptWindow = ReturnType<typeof createPromptWindow>;

/** Milliseconds before a spare window is loaded, so that it does not slow down the start or an answer. */
const spareDelayMs = 3_000;
const maxCrashes = 3;

/** All open questions share one window. Closing it cancels them. */
export function createPromptWindow(open: OpenPromptPage) {
  const waiting = new Map<string, { isSecret: boolean; settle(answer: Answer | undefined): void }>();
  let page: PromptPage | undefined;
  let spareTimer: ReturnType<typeof setTimeout> | undefined;
  let isKeeping = false;
  let isQuitting = false;
  /** Crashes in a row, without a paint in between. */
  let crashes = 0;
  app.on('before-quit', () => {
    isQuitting = true;
  });
  // Do not use `before-quit`, because the user may still cancel.
  app.on('will-quit', () => {
    isKeeping = false;
    clearTimeout(spareTimer);
  });

  function createPage(): PromptPage {
    clearTimeout(spareTimer);
    spareTimer = undefined;
    return createPromptPage({
      open,
      openQuestions: () => Array.from(waiting, ([id, { isSecret }]) => ({ id, isSecret })),
      onPaint() {
        crashes = 0;
      },
      onLater: () => settleAll(undefined),
      onEnd(reason) {
        if (reason === 'crashed') crashes += 1;
        page = undefined;
        createSpareLater();
        if (waiting.size === 0 || reason === 'discarded') return;
        if (reason === 'crashed' && crashes < maxCrashes && !isQuitting) page = createPage();
        else settleAll({ action: 'cancel' });
      },
    });
  }

  /** After repeated crashes, creates the window only when a question needs it. */
  function createSpareLater(): void {
    if (!isKeeping || spareTimer || crashes >= maxCrashes) return;
    spareTimer = setTimeout(() => {
      spareTimer = undefined;
      page ??= createPage();
    }, spareDelayMs);
  }

  function settleAll(answer: Answer | undefined): void {
    for (const { settle } of [...waiting.values()]) settle(answer);
  }

  return {
    /** Implements `Host.ask`: resolves with undefined if the question is withdrawn or the user chooses to decide later. */
    ask: ({ id, fields }: Question, signal: AbortSignal): Promise<Answer | undefined> =>
      new Promise((resolve) => {
        const settle = (answer: Answer | undefined) => {
          if (!waiting.delete(id)) return;
          signal.removeEventListener('abort', withdraw);
          resolve(answer);
          page?.update();
        };
        const withdraw = () => settle(undefined);
        if (signal.aborted) return resolve(undefined);
        isQuitting = false;
        signal.addEventListener('abort', withdraw, { once: true });
        waiting.set(id, { isSecret: fields.some(({ kind }) => kind === 'secret'), settle });
        page ??= createPage();
        page.update();
      }),
    /** Starts or stops keeping a hidden window loaded. A loaded window appears at once; an unloaded one saves its memory. */
    keepReady(isWanted: boolean): void {
      isKeeping = isWanted;
      if (!isWanted) {
        clearTimeout(spareTimer);
        spareTimer = undefined;
        if (waiting.size === 0) page?.discard();
      } else if (!page) {
        createSpareLater();
      }
    },
  };
}
