/** `dialog`: each dialog of the app stays open until the test answers it. */
import { needsReady } from './app.ts';
import { StandInWindow } from './browser-window.ts';
import { checkOptions } from './option-names.ts';
import { strict } from './strict.ts';

/** A native dialog that is or was open. */
export interface ShownDialog {
  id: number;
  kind: 'message' | 'open' | 'save' | 'error';
  options: Record<string, unknown>;
  /** The id of its parent window. */
  parent?: number;
  state: 'open' | 'answered' | 'withdrawn';
  answer(result: unknown): void;
}

export const dialogs: ShownDialog[] = [];

type Parent = { id: number; once(event: 'closed', listener: () => void): void };

/**
 * A dialog closes with its parent window. Without a parent, a message box on macOS runs a nested loop in which no JavaScript
 * runs, and on Windows and X11 a dialog opens below a window that is always on top; so the stand-in refuses it.
 */
function showDialog<T>(kind: ShownDialog['kind'], parent: unknown, options: object, canceled: T): Promise<T> {
  needsReady('dialog module');
  const window = StandInWindow.getAllWindows().find(({ id }) => id === (parent as Parent | undefined)?.id);
  if (!window) throw new Error('The dialog has no parent window');
  if (!window.isVisible()) throw new Error('The parent window of the dialog is hidden');
  return new Promise((resolve) => {
    const shown: ShownDialog = {
      id: dialogs.length + 1,
      kind,
      options: { ...options },
      parent: window.id,
      state: 'open',
      answer(result) {
        shown.state = 'answered';
        resolve(result as T);
      },
    };
    dialogs.push(shown);
    window.once('closed', () => {
      if (shown.state !== 'open') return;
      shown.state = 'withdrawn';
      resolve(canceled);
    });
  });
}

export const dialog = strict('dialog', {
  showMessageBox(parent: unknown, options: Electron.MessageBoxOptions = {} as never) {
    checkOptions('MessageBoxOptions', options);
    return showDialog('message', parent, options, { response: options.cancelId ?? 0, checkboxChecked: false });
  },
  showOpenDialog(parent: unknown, options: Electron.OpenDialogOptions = {}) {
    checkOptions('OpenDialogOptions', options);
    return showDialog('open', parent, options, { canceled: true, filePaths: [] as string[] });
  },
  showSaveDialog(parent: unknown, options: Electron.SaveDialogOptions = {}) {
    checkOptions('SaveDialogOptions', options);
    return showDialog('save', parent, options, { canceled: true, filePath: '' });
  },
  /** Modal in Electron, and on stderr before the app is ready on Linux. The stand-in only reports it, because the app ends then. */
  showErrorBox(title: string, content: string) {
    console.error(`${title}: ${content}`);
    // A message to the test, because the app may end afterwards.
    process.send?.({ error: { title, content } });
    dialogs.push({ id: dialogs.length + 1, kind: 'error', options: { title, content }, state: 'open', answer() {} });
    process.send?.({ errorBox: { title, content } });
  },
} satisfies Partial<Record<keyof Electron.Dialog, unknown>>);
