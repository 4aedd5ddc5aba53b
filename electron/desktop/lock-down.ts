/** Prevents pages from getting permissions, opening windows and navigating to other sites. */
import { app, session } from 'electron';
import { isOwnPage } from './app-protocol.ts';

/** Opens links to other sites through `openUrl`. */
export function lockDown(openUrl: (url: string) => Promise<void>): void {
  // The page's copy buttons write to the clipboard.
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
