/** Prevents every page from getting a permission, opening a window, or navigating to another site. */
import { app, session } from 'electron';
import { isOwnPage } from './app-protocol.ts';

/** Links to other addresses open in the browser through `openUrl`. */
export function lockDown(openUrl: (url: string) => Promise<void>): void {
  // The copy buttons of the page write to the clipboard.
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.defaultSession.setPermissionRequestHandler((_contents, permission, grant) => grant(isAllowed(permission)));
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.defaultSession.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      openUrl(url).catch(() => undefined);
      return { action: 'deny' };
    });
    const stay = (event: { url: string; preventDefault(): void }) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    };
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}
