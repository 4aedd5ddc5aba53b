/** The application menu, and the context menu for text, which Electron does not provide. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';

const zoom: MenuItemConstructorOptions[] = [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }];

/** On Windows and Linux, the menu bar is hidden until the user presses Alt, but its shortcuts always work. */
export function setMenus({ openLogs }: { openLogs(): void }, platform = process.platform): void {
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [...zoom, { type: 'separator' }, { role: 'togglefullscreen' }],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: 'Help',
    submenu: [{ label: 'Open Log Folder', click: openLogs }],
  };
  const menus: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [{ role: 'appMenu' }, { role: 'fileMenu' }, { role: 'editMenu' }, view, { role: 'windowMenu' }, help]
      : [
          { label: 'File', submenu: [{ role: 'close' }, { role: 'quit', label: 'Quit Gatehouse' }] },
          { role: 'editMenu' },
          view,
          help,
        ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus));
  app.on('web-contents-created', (_event, contents) => {
    contents.on('context-menu', (_menuEvent, { isEditable, selectionText, editFlags }) => {
      const items: MenuItemConstructorOptions[] = isEditable
        ? [
            { role: 'cut', enabled: editFlags.canCut },
            { role: 'copy', enabled: editFlags.canCopy },
            { role: 'paste', enabled: editFlags.canPaste },
            { role: 'selectAll', enabled: editFlags.canSelectAll },
          ]
        : selectionText.trim() === ''
          ? []
          : [{ role: 'copy' }];
      if (items.length > 0) Menu.buildFromTemplate(items).popup();
    });
  });
}
