/** Asks the person with the machine's own means: native dialogs for yes-or-no and files, a prompt window for the rest. */
import { type BrowserWindow, dialog } from 'electron';
import { assertNever } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model.ts';
import type { Host } from '../core/host.ts';
import { approvalDialog, confirmationDialog, fileDialog, type NativeDialog } from './dialog-text.ts';

export interface PromptOptions {
  openPromptWindow(): BrowserWindow;
  /** The person looks at the main window: it shows the question itself. */
  isLookedAt(): boolean;
}

/** `Host.ask` of the app (rows F2, F4, N1). A native dialog never says yes by itself: default and Escape are no. */
export function createPrompts({ openPromptWindow, isLookedAt }: PromptOptions): NonNullable<Host['ask']> {
  const inWindow = createPromptWindow(openPromptWindow);
  let last: Promise<unknown> = Promise.resolve();
  /** One native dialog at a time: a pile of them would be answered blindly. */
  const inTurn = (signal: AbortSignal, ask: () => Promise<Answer | undefined>) => {
    const mine = last.then(() => (signal.aborted ? undefined : ask()));
    last = mine.catch(() => undefined);
    return mine;
  };

  return async (question, signal) => {
    if (isLookedAt()) return undefined;
    switch (question.kind) {
      case 'approval': {
        const text = approvalDialog(question);
        // What does not fit a native dialog would be approved unread.
        return text ? inTurn(signal, () => askNatively(text, signal)) : inWindow(question, signal);
      }
      case 'confirmation':
        return inTurn(signal, () => askNatively(confirmationDialog(question), signal));
      case 'file':
        return inTurn(signal, () => askForFile(question));
      case 'text':
      case 'select':
      case 'multiselect':
      case 'form':
      case 'secret':
      case 'url':
      case 'offer':
        return inWindow(question, signal);
      default:
        return assertNever(question.kind);
    }
  };
}

async function askNatively(
  { message, detail, choices }: NativeDialog,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'Gatehouse',
    message,
    detail,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal,
  });
  return signal.aborted ? undefined : choices[response]?.answer;
}

async function askForFile(question: Question): Promise<Answer> {
  const { title, message, pick, filters } = fileDialog(question);
  if (pick === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog({ title, message, filters });
    return canceled ? { action: 'cancel' } : { action: 'accept', value: filePath };
  }
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title,
    message,
    filters,
    properties: pick === 'folder' ? ['openDirectory', 'createDirectory'] : ['openFile', 'showHiddenFiles'],
  });
  return canceled ? { action: 'cancel' } : { action: 'accept', value: filePaths[0] };
}

/** One window for all questions that need one; it goes with the last of them, and closing it cancels them. */
function createPromptWindow(open: () => BrowserWindow): NonNullable<Host['ask']> {
  const waiting = new Set<(answer: Answer | undefined) => void>();
  let window: BrowserWindow | undefined;
  return (_question, signal) =>
    new Promise((resolve) => {
      const settle = (answer: Answer | undefined) => {
        if (!waiting.delete(settle)) return;
        resolve(answer);
        if (waiting.size === 0 && window && !window.isDestroyed()) window.destroy();
      };
      waiting.add(settle);
      signal.addEventListener('abort', () => settle(undefined), { once: true });
      if (!window) {
        window = open();
        window.on('closed', () => {
          window = undefined;
          for (const cancel of [...waiting]) cancel({ action: 'cancel' });
        });
      } else {
        window.show();
      }
    });
}
