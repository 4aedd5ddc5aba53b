/** The rest of the desktop: tray, menus, dialogs, sealing, screens. What the person would see and do is kept for the test. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { strict } from './strict.ts';

/** A native dialog that is open, or was. */
export interface ShownDialog {
  id: number;
  kind: 'message' | 'open' | 'save' | 'error';
  options: Record<string, unknown>;
  state: 'open' | 'answered' | 'withdrawn';
  answer(result: unknown): void;
}

export const dialogs: ShownDialog[] = [];
export const openedOutside: string[] = [];
export const trays: StandInTray[] = [];
export const permissions: {
  request?: (contents: unknown, permission: string, grant: (granted: boolean) => void) => void;
  check?: (contents: unknown, permission: string) => boolean;
} = {};

function showDialog<T>(kind: ShownDialog['kind'], given: object, withdrawn: T): Promise<T> {
  const { signal, ...options } = given as { signal?: AbortSignal };
  return new Promise((resolve) => {
    const shown: ShownDialog = {
      id: dialogs.length + 1,
      kind,
      options,
      state: 'open',
      answer(result) {
        shown.state = 'answered';
        resolve(result as T);
      },
    };
    dialogs.push(shown);
    const withdraw = () => {
      if (shown.state !== 'open') return;
      shown.state = 'withdrawn';
      resolve(withdrawn);
    };
    if (signal?.aborted) withdraw();
    signal?.addEventListener('abort', withdraw, { once: true });
  });
}

export const dialog = strict('dialog', {
  showMessageBox: (options: Electron.MessageBoxOptions) =>
    showDialog('message', options, { response: options.cancelId ?? 0, checkboxChecked: false }),
  showOpenDialog: (options: Electron.OpenDialogOptions) =>
    showDialog('open', options, { canceled: true, filePaths: [] as string[] }),
  showSaveDialog: (options: Electron.SaveDialogOptions) =>
    showDialog('save', options, { canceled: true, filePath: '' }),
  showErrorBox: (title: string, content: string) => void showDialog('error', { title, content }, undefined),
} satisfies Partial<Record<keyof Electron.Dialog, unknown>>);

export const shell = strict('shell', {
  async openExternal(url: string) {
    openedOutside.push(url);
    // For a test of an app that ends with it.
    process.send?.({ opened: url });
  },
  openPath: async () => '',
} satisfies Partial<Electron.Shell>);

type Item = Electron.MenuItemConstructorOptions;

export class StandInMenu {
  readonly items: Item[];
  constructor(items: Item[]) {
    this.items = items;
  }
  static buildFromTemplate(items: Item[]) {
    return new StandInMenu(items);
  }
  static setApplicationMenu() {}
}
export const Menu = strict('Menu', StandInMenu);

export class StandInTray extends EventEmitter {
  menu: StandInMenu | undefined;
  toolTip = '';
  destroyed = false;
  constructor() {
    super();
    trays.push(this);
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
export const Tray = new Proxy(StandInTray, { construct: (target) => strict('Tray', new target()) });

export const nativeImage = strict('nativeImage', {
  createFromPath(file: string) {
    // Electron makes an empty image of a missing file, and the tray has no icon.
    if (!existsSync(file)) throw new Error(`There is no image ${file}`);
    return strict('NativeImage', { setTemplateImage() {}, isEmpty: () => false });
  },
});

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false });

export const screen = strict('screen', {
  getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
});

export const session = strict('session', {
  defaultSession: strict('Session', {
    setPermissionRequestHandler(handler: NonNullable<typeof permissions.request>) {
      permissions.request = handler;
    },
    setPermissionCheckHandler(handler: NonNullable<typeof permissions.check>) {
      permissions.check = handler;
    },
  }),
});

/** Visibly not the plain text, and bound to a key that a test can change. */
const key = () => process.env.GATEHOUSE_STAND_IN_KEY ?? 'a';
export const safeStorage = strict('safeStorage', {
  isAsyncEncryptionAvailable: async () => process.env.GATEHOUSE_STAND_IN_BACKEND !== 'none',
  getSelectedStorageBackend: () => (process.env.GATEHOUSE_STAND_IN_BACKEND ?? 'gnome_libsecret') as 'gnome_libsecret',
  encryptStringAsync: async (plain: string) => Buffer.from(`${key()}:${Buffer.from(plain).toString('hex')}`),
  async decryptStringAsync(sealed: Buffer) {
    const [sealedWith, hex = ''] = sealed.toString().split(':');
    return { result: Buffer.from(hex, 'hex').toString(), shouldReEncrypt: sealedWith !== key() };
  },
} satisfies Partial<Electron.SafeStorage>);
