/** The application menu, and the context menu for text, which Electron does not provide. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { t } from './text.ts';

const line: MenuItemConstructorOptions = { type: 'separator' };

/** Electron's own labels are in English. On Windows and Linux, the menu bar is hidden until the user presses Alt, but its shortcuts always work. */
export function setMenus(
  { openLogs, openSettings }: { openLogs(): void; openSettings(): void },
  platform = process.platform,
): void {
  // untranslated: a key
  const settings = { label: t('Settings…'), accelerator: 'CmdOrCtrl+,', click: openSettings };
  const menus = platform === 'darwin' ? menusOfMac(settings) : [fileMenu(settings), editMenu(false), viewMenu()];
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: t('Help'),
    submenu: [
      { label: t('Open Log Folder'), click: openLogs },
      ...(platform === 'darwin' ? [] : [{ role: 'about', label: t('About Toolkeep') } as const]),
    ],
  };
  const { electron, chrome, node } = process.versions;
  // untranslated: names and versions
  const applicationVersion = `${app.getVersion()} (Electron ${electron}, Chromium ${chrome}, Node.js ${node})`;
  app.setAboutPanelOptions({ applicationVersion });
  if (platform === 'win32') {
    const program = { program: process.execPath, iconPath: process.execPath, iconIndex: 0 };
    app.setUserTasks([{ ...program, arguments: '--quit', title: t('Quit Toolkeep'), description: t('Quit Toolkeep') }]);
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menus, help]));
  app.on('web-contents-created', (_event, contents) => {
    contents.on('context-menu', (_menuEvent, { isEditable, selectionText, editFlags }) => {
      const items: MenuItemConstructorOptions[] = isEditable
        ? [
            { role: 'cut', label: t('Cut'), enabled: editFlags.canCut },
            { role: 'copy', label: t('Copy'), enabled: editFlags.canCopy },
            { role: 'paste', label: t('Paste'), enabled: editFlags.canPaste },
            { role: 'selectAll', label: t('Select All'), enabled: editFlags.canSelectAll },
          ]
        : selectionText.trim() === ''
          ? []
          : [{ role: 'copy', label: t('Copy') }];
      if (items.length > 0) Menu.buildFromTemplate(items).popup();
    });
  });
}

const fileMenu = (settings: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  label: t('File'),
  submenu: [settings, line, { role: 'close', label: t('Close Window') }, { role: 'quit', label: t('Quit Toolkeep') }],
});

const editMenu = (isMac: boolean): MenuItemConstructorOptions => ({
  role: 'editMenu',
  label: t('Edit'),
  submenu: [
    { role: 'undo', label: t('Undo') },
    { role: 'redo', label: t('Redo') },
    line,
    { role: 'cut', label: t('Cut') },
    { role: 'copy', label: t('Copy') },
    { role: 'paste', label: t('Paste') },
    ...(isMac ? [{ role: 'pasteAndMatchStyle', label: t('Paste and Match Style') } as const] : []),
    { role: 'delete', label: t('Delete') },
    { role: 'selectAll', label: t('Select All') },
  ],
});

const viewMenu = (): MenuItemConstructorOptions => ({
  label: t('View'),
  submenu: [
    { role: 'resetZoom', label: t('Actual Size') },
    { role: 'zoomIn', label: t('Zoom In') },
    { role: 'zoomOut', label: t('Zoom Out') },
    line,
    { role: 'togglefullscreen', label: t('Toggle Full Screen') },
  ],
});

const menusOfMac = (settings: MenuItemConstructorOptions): MenuItemConstructorOptions[] => [
  {
    role: 'appMenu',
    submenu: [
      { role: 'about', label: t('About Toolkeep') },
      line,
      settings,
      line,
      { role: 'services', label: t('Services') },
      line,
      { role: 'hide', label: t('Hide Toolkeep') },
      { role: 'hideOthers', label: t('Hide Others') },
      { role: 'unhide', label: t('Show All') },
      line,
      { role: 'quit', label: t('Quit Toolkeep') },
    ],
  },
  { role: 'fileMenu', label: t('File'), submenu: [{ role: 'close', label: t('Close Window') }] },
  editMenu(true),
  viewMenu(),
  {
    role: 'windowMenu',
    label: t('Window'),
    submenu: [
      { role: 'minimize', label: t('Minimize') },
      { role: 'zoom', label: t('Zoom') },
      line,
      { role: 'front', label: t('Bring All to Front') },
    ],
  },
];
