/** Asks the person with the machine's own means: native dialogs for yes-or-no and files, a prompt window for the rest. */
import { dialog } from 'electron';
import { assertNever } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model.ts';
import type { Host } from '../core/host.ts';
import { approvalDialog, confirmationDialog, fileDialog, type NativeDialog } from './dialog-text.ts';
import { createPromptWindow, type OpenPromptPage } from './prompt-window.ts';

export interface PromptOptions {
  openPromptPage: OpenPromptPage;
  /** The person looks at the main window: it shows the question itself. */
  isLookedAt(): boolean;
}

export interface Prompts {
  /** `Host.ask` of the app (rows F2, F4, N1). A native dialog never says yes by itself: default and Escape are no. */
  ask: NonNullable<Host['ask']>;
  /** From now on a prompt window is kept ready. */
  keepReady(): void;
}

export function createPrompts({ openPromptPage, isLookedAt }: PromptOptions): Prompts {
  const { ask: inWindow, keepReady } = createPromptWindow(openPromptPage);
  let last: Promise<unknown> = Promise.resolve();
  /** One native dialog at a time: a pile of them would be answered blindly. */
  const inTurn = (signal: AbortSignal, ask: () => Promise<Answer | undefined>) => {
    const mine = last.then(() => (signal.aborted ? undefined : ask()));
    last = mine.catch(() => undefined);
    return mine;
  };

  const ask: Prompts['ask'] = async (question, signal) => {
    if (isLookedAt()) return undefined;
    switch (question.kind) {
      case 'approval':
      case 'confirmation': {
        const text = question.kind === 'approval' ? approvalDialog(question) : confirmationDialog(question);
        const given = text && (await inTurn(signal, () => askNatively(text, signal)));
        // What does not fit a native dialog would be agreed to unread; and the person may want the other choices.
        return given || signal.aborted ? given : inWindow(question, signal);
      }
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
  return { ask, keepReady };
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
