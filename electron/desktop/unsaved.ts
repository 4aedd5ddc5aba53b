/**
 * Asks before the app quits with unsaved changes on its page. Otherwise, Electron would silently cancel the quit, because
 * the page prevents its unload.
 */
import { app, type BrowserWindow, dialog } from 'electron';
import { isQuittingNow } from './shutdown.ts';
import { t } from './text.ts';

export interface UnsavedOptions {
  /** Whether the app starts again after it has quit. */
  isRestarting(): boolean;
  /** Called when the unsaved changes keep the app from quitting. */
  onStay(): void;
  /** Called when the user cancels. */
  onCancel(): void;
}

export function askAboutUnsaved(window: BrowserWindow, { isRestarting, onStay, onCancel }: UnsavedOptions): void {
  let isAsking = false;
  let discards = false;

  async function ask(): Promise<void> {
    window.show();
    const restarts = isRestarting();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: restarts ? t('Restart without saving?') : t('Quit without saving?'),
      detail: t('The window has unsaved changes.'),
      buttons: [restarts ? t('Restart') : t('Quit'), t('Cancel')],
      defaultId: 1,
      cancelId: 1,
    });
    isAsking = false;
    if (response !== 0) onCancel();
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
