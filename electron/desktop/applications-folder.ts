/**
 * Offers to move the app to the Applications folder of macOS. An app opened from a disk image or from Downloads runs at a
 * temporary path, so clients could not start it later.
 */
import { app, type BrowserWindow, dialog } from 'electron';
import { t } from './text.ts';

/** Asks once per start, in the window. If the user accepts, moves the app and restarts it. */
export async function offerToMove(window: BrowserWindow): Promise<void> {
  if (process.platform !== 'darwin' || !app.isPackaged || app.isInApplicationsFolder()) return;
  const { response } = await dialog.showMessageBox(window, {
    message: t('Move Toolkeep to the Applications folder?'),
    detail: t(
      'If you leave it here, MCP clients can start Toolkeep only until you eject the disk image or restart the computer.',
    ),
    buttons: [t('Move'), t('Not Now')],
    defaultId: 0,
    cancelId: 1,
  });
  if (response !== 0) return;
  try {
    app.moveToApplicationsFolder();
  } catch (error) {
    await dialog.showMessageBox(window, {
      message: t('Toolkeep could not be moved.'),
      detail: t('Quit Toolkeep and move it to the Applications folder in the Finder. {message}', {
        message: (error as Error).message,
      }),
    });
  }
}
