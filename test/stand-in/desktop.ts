/** The rest of the desktop: tray, menus, notifications, screens, power. Tests read and control their state here. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { needsReady } from './app.ts';
import { checkOptions } from './option-names.ts';
import { strict } from './strict.ts';

export const openedOutside: string[] = [];
export const trays: StandInTray[] = [];
export const permissions: {
  request?: (contents: unknown, permission: string, grant: (granted: boolean) => void) => void;
  check?: (contents: unknown, permission: string) => boolean;
} = {};

export const shell = strict('shell', {
  async openExternal(url: string) {
    if (process.env.TOOLKEEP_STAND_IN_NO_BROWSER === '1') throw new Error('No application is registered for the URL');
    openedOutside.push(url);
    // A message to the test, because the app may end afterwards.
    process.send?.({ opened: url });
  },
  async openPath(path: string) {
    if (!existsSync(path)) return 'Failed to open path';
    openedOutside.push(path);
    return '';
  },
} satisfies Partial<Electron.Shell>);

type Item = Electron.MenuItemConstructorOptions;

/** The roles that Electron supports; it also throws for others. */
const roles = new Set(
  'about appMenu close copy cut delete editMenu fileMenu forceReload front help hide hideOthers minimize paste pasteAndMatchStyle quit redo reload resetZoom selectAll services toggleDevTools togglefullscreen undo unhide viewMenu window windowMenu zoom zoomIn zoomOut'.split(
    ' ',
  ),
);
const types = new Set(['normal', 'separator', 'submenu', 'checkbox', 'radio']);

export class StandInMenu {
  readonly items: Item[];
  static application: StandInMenu | null | undefined;
  constructor(items: Item[]) {
    this.items = items.map(({ click, ...item }) => {
      if (!click) return item;
      const shown: Item = {
        ...item,
        /** A click toggles a checkbox before its handler runs. */
        click: () => {
          if (shown.type === 'checkbox') shown.checked = !shown.checked;
          (click as unknown as (item: Item) => void)(shown);
        },
      };
      return shown;
    });
  }
  static buildFromTemplate(items: Item[]): StandInMenu {
    for (const item of items) {
      checkOptions('MenuItemConstructorOptions', item);
      if (item.role && !roles.has(item.role)) throw new Error(`Unknown menu role ${item.role}`);
      if (item.type && !types.has(item.type)) throw new Error(`Unknown menu type ${item.type}`);
      if (!item.role && !item.label && item.type !== 'separator') throw new Error('A menu item has no label');
      if (Array.isArray(item.submenu)) StandInMenu.buildFromTemplate(item.submenu);
    }
    return new StandInMenu(items);
  }
  static setApplicationMenu(menu: StandInMenu | null) {
    StandInMenu.application = menu;
  }
  popup() {
    contextMenus.push(this.items);
  }
  click(label: string) {
    const all = this.items.flatMap((item) => [
      item,
      ...(Array.isArray(item.submenu) ? new StandInMenu(item.submenu).items : []),
    ]);
    const item = all.find((candidate) => candidate.label === label);
    if (!item?.click || item.enabled === false) throw new Error(`The menu has nothing to click at "${label}"`);
    (item.click as unknown as () => void)();
  }
}
export const contextMenus: Item[][] = [];
export const Menu = strict('Menu', StandInMenu);

/** Each notification that the user sees. A click reaches the app only if it still refers to its notification. */
export const notifications: {
  options: Electron.NotificationConstructorOptions;
  state: 'shown' | 'closed';
  app: WeakRef<EventEmitter>;
}[] = [];

/** On macOS, `isSupported` already asks the user for permission (notification_presenter_mac.mm). */
export const permissionRequests = { count: 0 };

export class StandInNotification extends EventEmitter {
  readonly options: Electron.NotificationConstructorOptions;
  #shown: (typeof notifications)[number] | undefined;
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    needsReady('Notification');
    checkOptions('NotificationConstructorOptions', options);
    this.options = options;
  }
  get title() {
    return this.options.title;
  }
  get body() {
    return this.options.body;
  }
  static isSupported() {
    permissionRequests.count += 1;
    return process.env.TOOLKEEP_STAND_IN_NO_NOTIFICATIONS !== '1';
  }
  show() {
    this.#shown = { options: this.options, state: 'shown', app: new WeakRef(this) };
    notifications.push(this.#shown);
  }
  close() {
    if (this.#shown) this.#shown.state = 'closed';
  }
}
export const Notification = strict('Notification', StandInNotification);

/** `suspend`, `resume`, `lock-screen`, `unlock-screen`, `shutdown`. */
export const wholePowerMonitor = new EventEmitter();
export const powerMonitor = strict('powerMonitor', wholePowerMonitor);

export const crashReporter = strict('crashReporter', { start() {} });

type StandInImage = { file: string };

export class StandInTray extends EventEmitter {
  menu: StandInMenu | undefined;
  toolTip = '';
  destroyed = false;
  image: StandInImage;
  constructor(image: StandInImage) {
    super();
    needsReady('Tray');
    this.image = image;
    trays.push(this);
  }
  setImage(image: StandInImage) {
    this.image = image;
  }
  setToolTip(text: string) {
    this.toolTip = text;
  }
  setContextMenu(menu: StandInMenu) {
    this.menu = menu;
  }
  isDestroyed() {
    return this.destroyed;
  }
  destroy() {
    this.destroyed = true;
  }
}
export const Tray = new Proxy(StandInTray, {
  construct: (target, [image]: [StandInImage]) => strict('Tray', new target(image)),
});

export const nativeImage = strict('nativeImage', {
  createFromPath(file: string) {
    // Electron creates an empty image for a missing file, and the tray has no icon.
    if (!existsSync(file)) throw new Error(`There is no image ${file}`);
    return strict('NativeImage', { file, setTemplateImage() {}, isEmpty: () => false });
  },
});

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false });

/**
 * Two displays side by side; `TOOLKEEP_STAND_IN_CURSOR=1` puts the mouse pointer on the second, whose height is
 * `TOOLKEEP_STAND_IN_HEIGHT`.
 */
const displays = [
  { id: 0, workArea: { x: 0, y: 0, width: 1920, height: 1080 } },
  { id: 1, workArea: { x: 1920, y: 0, width: 2560, height: Number(process.env.TOOLKEEP_STAND_IN_HEIGHT ?? 1440) } },
] as const;
const displayAt = (x: number) => {
  needsReady('screen');
  return displays[x >= 1920 ? 1 : 0];
};
export const screen = strict('screen', {
  getDisplayMatching: ({ x }: Electron.Rectangle) => displayAt(x),
  getDisplayNearestPoint: ({ x }: Electron.Point) => displayAt(x),
  getPrimaryDisplay: () => displayAt(0),
  getCursorScreenPoint: () => ({ x: process.env.TOOLKEEP_STAND_IN_CURSOR === '1' ? 3000 : 100, y: 100 }),
});

const defaultSession = strict('Session', {
  setPermissionRequestHandler(handler: NonNullable<typeof permissions.request>) {
    permissions.request = handler;
  },
  setPermissionCheckHandler(handler: NonNullable<typeof permissions.check>) {
    permissions.check = handler;
  },
  setDevicePermissionHandler() {},
});
/** Sessions by partition. */
const partitions = new Map<string, object>();
export const isSession = (value: unknown) => [defaultSession, ...partitions.values()].includes(value as never);
export const session = strict('session', {
  fromPartition(partition: string, options: Electron.FromPartitionOptions) {
    needsReady('session');
    checkOptions('FromPartitionOptions', options);
    const found = partitions.get(partition) ?? strict('Session', {});
    partitions.set(partition, found);
    return found;
  },
  get defaultSession() {
    needsReady('session');
    return defaultSession;
  },
});
