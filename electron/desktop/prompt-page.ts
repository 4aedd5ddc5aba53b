/**
 * One prompt window and its page. The window is shown after the page has painted its question, and hidden after the
 * page has painted an empty view, so a previous question is never visible.
 */
import { app, type BrowserWindow, screen } from 'electron';
import type { PromptTurn } from '../../shared/protocol/ipc.ts';
import type { PromptListener } from './ipc-wire.ts';

export type OpenPromptPage = (listener: PromptListener) => {
  window: BrowserWindow;
  send(prompt: PromptTurn): void;
  /** True while a native file dialog is open over the window. */
  isPicking(): boolean;
};

export type PromptPage = ReturnType<typeof createPromptPage>;

export interface PromptPageOptions {
  open: OpenPromptPage;
  openQuestions(): { id: string; isSecret: boolean }[];
  onPaint(): void;
  /** The user chose to decide later. */
  onLater(): void;
  /** The page sends no more events: the user closed the window, it crashed, or it is no longer needed. */
  onEnd(reason: 'closed' | 'crashed' | 'discarded'): void;
}

/**
 * Milliseconds after which the window is shown even if the page has not reported a paint, so that the user can close it.
 */
const showAfterMs = 500;
/** Milliseconds after which a page that has not cleared its questions counts as unresponsive. */
const emptyWithinMs = 1_000;

export function createPromptPage({ open, openQuestions, onPaint, onLater, onEnd }: PromptPageOptions) {
  let isOpen = false;
  let isShown = false;
  let hasEnded = false;
  /** The page's memory may contain a secret, so the page is destroyed instead of reused. */
  let hadSecret = false;
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hasQuestions = () => openQuestions().length > 0;

  const { window, send, isPicking } = open({
    opened() {
      isOpen = true;
      if (!hasEnded) update();
    },
    painted(paintedTurn, id) {
      onPaint();
      if (hasEnded || paintedTurn !== turn) return;
      if (id !== undefined) show();
      else if (isShown && !hasQuestions()) hide();
    },
    later: () => !hasEnded && onLater(),
  });
  window.on('closed', () => end('closed'));
  window.webContents.on('render-process-gone', () => end('crashed'));
  window.on('unresponsive', () => end('crashed'));

  function end(reason: 'closed' | 'crashed' | 'discarded'): void {
    if (hasEnded) return;
    hasEnded = true;
    stopTimer();
    if (reason !== 'closed') window.destroy();
    onEnd(reason);
  }

  function show(): void {
    if (isShown) return;
    stopTimer();
    isShown = true;
    centerOnActiveDisplay(window);
    // On macOS, a hidden app shows none of its windows.
    if (process.platform === 'darwin' && app.isHidden()) app.show();
    window.show();
    sendTurn();
  }

  function hide(): void {
    stopTimer();
    // Destroying the window also closes the file dialog, which would otherwise stay open over a hidden window.
    if (isPicking()) {
      end('discarded');
      return;
    }
    isShown = false;
    // On Windows, hiding a window gives no other window the focus (electron#10023).
    if (process.platform === 'win32') window.blur();
    window.hide();
    sendTurn();
  }

  function sendTurn(): void {
    const questions = openQuestions();
    turn += 1;
    const hasSecret = questions.some(({ isSecret }) => isSecret);
    hadSecret ||= hasSecret;
    // Keeps a secret out of screenshots and shared screens, where the system supports that.
    window.setContentProtection(hasSecret);
    send({ turn, ids: questions.map(({ id }) => id), isShown });
  }

  /** Sends the page its open questions. If the page does not respond, timers show or destroy the window. */
  function update(): void {
    if (!isOpen) return;
    sendTurn();
    if (hasQuestions() === isShown) stopTimer();
    else if (!isShown) timer ??= setTimeout(show, showAfterMs);
    else if (hadSecret || isPicking()) end('discarded');
    else timer ??= setTimeout(() => end('discarded'), emptyWithinMs);
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    update,
    /** Destroys the window. Its questions are canceled. */
    discard: (): void => end('discarded'),
  };
}

/**
 * Centers the window on the display that contains the mouse pointer, no larger than that display. Wayland compositors
 * ignore the position and place windows themselves.
 */
function centerOnActiveDisplay(window: BrowserWindow): void {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const bounds = window.getBounds();
  const width = Math.min(bounds.width, workArea.width);
  const height = Math.min(bounds.height, workArea.height);
  window.setBounds({
    x: Math.round(workArea.x + (workArea.width - width) / 2),
    y: Math.round(workArea.y + (workArea.height - height) / 2),
    width,
    height,
  });
}
