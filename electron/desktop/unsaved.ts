/**
 * Asks before the app quits although its page has unsaved changes. Otherwise, Electron would silently cancel the quit, since the
 * page prevents its unload.
 */
import { app, type BrowserWindow, dialog } from 'electron';
import { isQuittingNow } from './shutdown.ts';

/** `onStay`: the app does not quit now. */
export function askAboutUnsaved(window: BrowserWindow, onStay: () => void): void {
  let isAsking = false;
  let discards = false;

  async function ask(): Promise<void> {
    window.show();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'Quit without saving?',
      detail: 'The window has changes that are not saved.',
      buttons: ['Quit', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    });
    isAsking = false;
    if (response !== 0 || window.isDestroyed()) return;
    discards = true;
    app.quit();
  }

  window.webContents.on('will-prevent-unload', (event) => {
    // `preventDefault` makes Electron ignore the page.
    if (discards || isQuittingNow()) return event.preventDefault();
    onStay();
    if (isAsking) return;
    isAsking = true;
    void ask();
  });
}
