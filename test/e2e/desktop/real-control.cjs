/**
 * Loaded into a real Electron before the app (`electron -r real-control.cjs`), or into the limited stand-in: answers the
 * requests of the test driver, as test/stand-in/control.ts does. Operations that only the stand-in can simulate are refused.
 */
const { connect } = require('node:net');
const { basename } = require('node:path');
const { createInterface } = require('node:readline');
const electron = require('electron');
const { app, dialog, Menu, nativeImage, Notification, shell, Tray } = electron;

const windows = new Map();
const trays = [];
/** The files of images. */
const imagePaths = new WeakMap();
const dialogs = [];
const openedOutside = [];
const notifications = [];
let applicationMenu;
const now = () => performance.timeOrigin + performance.now();

app.on('browser-window-created', (_event, window) => {
  const sightings = [];
  windows.set(window.id, { window, sightings });
  window.on('show', () => sightings.push({ at: now(), visible: true }));
  window.on('hide', () => sightings.push({ at: now(), visible: false }));
  window.on('closed', () => windows.delete(window.id));
});

/** Replaces a method by one that records its call first. */
function wrap(object, name, record) {
  const original = object[name];
  object[name] = function (...args) {
    return record(() => original.apply(this, args), args, this);
  };
}
wrap(Tray.prototype, 'setContextMenu', (call, [menu], tray) => {
  const known = trays.find((each) => each.tray === tray);
  if (known) known.menu = menu;
  else trays.push({ tray, menu });
  return call();
});
wrap(Tray.prototype, 'setToolTip', (call, [text], tray) => {
  const known = trays.find((each) => each.tray === tray);
  if (known) known.toolTip = text;
  return call();
});
wrap(Menu, 'setApplicationMenu', (call, [menu]) => {
  applicationMenu = menu;
  return call();
});
wrap(nativeImage, 'createFromPath', (call, [path]) => {
  const image = call();
  imagePaths.set(image, path);
  return image;
});
wrap(Tray.prototype, 'setImage', (call, [image], tray) => {
  const found = trays.find((each) => each.tray === tray);
  if (found) found.icon = imagePaths.get(image);
  return call();
});
wrap(shell, 'openExternal', async (_call, [url]) => void openedOutside.push(url));
wrap(shell, 'openPath', async (_call, [path]) => {
  openedOutside.push(path);
  return '';
});
wrap(Notification.prototype, 'show', (call, _args, notification) => {
  notifications.push(notification);
  return call();
});
/** A modal box would wait for a user. */
dialog.showErrorBox = (title, content) => process.stderr.write(`${title}: ${content}\n`);
for (const [name, kind] of Object.entries({
  showMessageBox: 'message',
  showOpenDialog: 'open',
  showSaveDialog: 'save',
}))
  wrap(dialog, name, (_call, [parent, options]) => {
    const shown = { id: dialogs.length + 1, kind, parent: parent?.id, options, state: 'open' };
    dialogs.push(shown);
    return new Promise((resolve) => {
      shown.answer = (result) => {
        shown.state = 'answered';
        resolve(result);
      };
      parent?.once?.('closed', () => {
        if (shown.state !== 'open') return;
        shown.state = 'withdrawn';
        resolve({ canceled: true, filePaths: [] });
      });
    });
  });

const currentTray = () => {
  const found = trays.find(({ tray }) => !tray.isDestroyed());
  if (!found) throw new Error('There is no tray icon');
  return found;
};
const windowAt = (id) => windows.get(id).window;

const operations = {
  windows: () =>
    [...windows.values()].map(({ window, sightings }) => ({
      id: window.id,
      url: window.webContents.getURL(),
      title: window.getTitle(),
      visible: window.isVisible(),
      focused: window.isFocused(),
      bounds: window.getBounds(),
      sightings,
    })),
  /** The window closes later, unless its page or the app prevents that. */
  closeWindow: (id) => void windowAt(id).close(),
  maximizeWindow: (id) => windowAt(id).maximize(),
  minimizeWindow: (id) => windowAt(id).minimize(),
  blurWindow: (id) => windowAt(id).blur(),
  /** macOS reports this when another window covers this one (electron#8664). */
  coverWindow: (id) => void windowAt(id).emit('hide'),
  hideApp: () => app.hide(),
  dockPolicy: () => (app.dock.isVisible() ? 'regular' : 'accessory'),
  trayIsThere: () => trays.some(({ tray }) => !tray.isDestroyed()),
  trayIcon: () => basename(currentTray().icon ?? ''),
  trayToolTip: () => currentTray().toolTip,
  trayMenu: () =>
    currentTray().menu.items.map(({ label, type, checked, enabled, submenu }) => {
      const labels = submenu?.items.map((item) => item.label);
      return { label, type, checked, enabled, submenu: labels };
    }),
  /** On macOS, a click opens the menu. */
  clickTray: () =>
    process.platform === 'darwin' ? operations.clickTrayMenu('Open Toolkeep') : void currentTray().tray.emit('click'),
  clickTrayMenu: (label) =>
    currentTray()
      .menu.items.flatMap((item) => [item, ...(item.submenu?.items ?? [])])
      .find((item) => item.label === label)
      .click(),
  menuRoles: () => (applicationMenu?.items ?? []).map(({ role, label }) => role ?? label),
  dialogs: () => dialogs.map(({ id, kind, options, parent, state }) => ({ id, kind, options, parent, state })),
  answerDialog: (id, result) => dialogs.find((each) => each.id === id).answer(result),
  openedOutside: () => openedOutside,
  notifications: () => notifications.map(({ title, body }) => ({ title, body })),
  quit: () => app.quit(),
};

const socket = connect(process.env.TOOLKEEP_CONTROL);
socket.on('error', () => undefined);
createInterface({ input: socket }).on('line', (line) => {
  const { id, name, args } = JSON.parse(line);
  let reply;
  try {
    if (!operations[name]) throw new Error(`"${name}" exists only on the stand-in`);
    reply = { value: operations[name](...args) };
  } catch (error) {
    reply = { error: String(error) };
  }
  socket.write(`${JSON.stringify({ id, ...reply })}\n`);
});
