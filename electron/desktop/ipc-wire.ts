/** Electron IPC as Wires: the only module that uses ipcMain. It checks the sender of every message. */
import { BrowserWindow, dialog, type IpcMainEvent, ipcMain, type OpenDialogOptions, type WebContents } from 'electron';
import * as z from 'zod';
import { ipcChannel, type PickOptions, type PromptTurn, type ToPage } from '../../shared/protocol/ipc.ts';
import { bufferedWire, type Wire, type WireEnd } from '../../shared/protocol/wire.ts';
import { isOwnPage } from './app-protocol.ts';

/** Receives the messages of a prompt window. */
export interface PromptListener {
  /** A document has loaded and is listening. Called again after a reload. */
  opened(): void;
  painted(turn: number, id: string | undefined): void;
  later(): void;
}

/** Validates messages, because a script that controls the page could send anything. */
const toMainSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('frame'), frame: z.string() }),
  z.object({
    kind: z.literal('pickFile'),
    id: z.number(),
    options: z.object({
      pick: z.enum(['file', 'folder', 'save']),
      extensions: z.array(z.string().max(50)).max(50).optional(),
    }),
  }),
  z.object({ kind: z.literal('painted'), turn: z.number(), id: z.string().optional() }),
  z.object({ kind: z.literal('later') }),
]);

/** Calls `onWire` with a Wire for each document that a trusted window loads. The Wire closes with its document. */
export function listenToPages(onWire: (wire: Wire, from: { isPrompt: boolean }) => void) {
  const trusted = new Map<WebContents, WireEnd | undefined>();
  const prompts = new Map<WebContents, PromptListener>();
  const picking = new Set<WebContents>();

  const listen = (event: IpcMainEvent, given: unknown) => {
    const { sender, senderFrame } = event;
    // Ignore frames inside the page, and any page that replaced ours.
    if (!trusted.has(sender) || senderFrame !== sender.mainFrame || !isOwnPage(senderFrame.url)) return;
    const message = toMainSchema.safeParse(given).data;
    switch (message?.kind) {
      case 'open': {
        // Do not notify the new document that the Wire of the previous document closed.
        trusted.get(sender)?.closed();
        const end = openWire(sender);
        trusted.set(sender, end);
        onWire(end.wire, { isPrompt: prompts.has(sender) });
        prompts.get(sender)?.opened();
        break;
      }
      case 'frame':
        receive(trusted.get(sender), message.frame);
        break;
      case 'painted':
        prompts.get(sender)?.painted(message.turn, message.id);
        break;
      case 'later':
        prompts.get(sender)?.later();
        break;
      case 'pickFile': {
        // Allow one dialog per window.
        if (picking.has(sender)) return sendTo(sender, { kind: 'picked', id: message.id, path: undefined });
        picking.add(sender);
        void pickFile(sender, message.options)
          .catch(() => undefined)
          .then((path) => {
            picking.delete(sender);
            sendTo(sender, { kind: 'picked', id: message.id, path });
          });
      }
    }
  };
  ipcMain.on(ipcChannel, listen);

  return {
    /** Accepts messages from this window; messages from any other sender are ignored. */
    trust(contents: WebContents, prompt?: PromptListener): void {
      trusted.set(contents, undefined);
      if (prompt) prompts.set(contents, prompt);
      contents.once('destroyed', () => {
        trusted.get(contents)?.closed();
        trusted.delete(contents);
        prompts.delete(contents);
        picking.delete(contents);
      });
      contents.on('render-process-gone', () => trusted.get(contents)?.closed());
    },
    sendPrompt: (contents: WebContents, prompt: PromptTurn): void => sendTo(contents, { kind: 'prompt', prompt }),
    /** True while a native file dialog is open over the window. */
    isPicking: (contents: WebContents): boolean => picking.has(contents),
    /** Closes the Wire of every page. */
    close(): void {
      ipcMain.off(ipcChannel, listen);
      for (const end of trusted.values()) end?.wire.close();
    },
  };
}

/** electron-store listens to pages on a channel of its own, and does not check the sender. */
export function closeOtherChannels(): void {
  for (const name of ipcMain.eventNames()) if (name !== ipcChannel) ipcMain.removeAllListeners(String(name));
}

function openWire(contents: WebContents): WireEnd {
  const end = bufferedWire({
    send: (frame) => sendTo(contents, { kind: 'frame', frame: JSON.stringify(frame) }),
    close() {
      sendTo(contents, { kind: 'closed' });
      end.closed();
    },
  });
  return end;
}

function receive(end: WireEnd | undefined, text: string): void {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return;
  }
  end?.receive(frame);
}

/** Makes the requesting window the dialog's parent, so that the dialog opens above it and closes with it. */
async function pickFile(contents: WebContents, { pick, extensions }: PickOptions): Promise<string | undefined> {
  const parent = BrowserWindow.fromWebContents(contents);
  if (!parent) return undefined;
  const filters = extensions?.length ? [{ name: extensions.map((each) => `.${each}`).join(', '), extensions }] : [];
  if (pick === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(parent, { filters });
    return canceled ? undefined : filePath;
  }
  const properties: OpenDialogOptions['properties'] =
    pick === 'folder' ? ['openDirectory', 'createDirectory'] : ['openFile', 'showHiddenFiles'];
  const { canceled, filePaths } = await dialog.showOpenDialog(parent, { filters, properties });
  return canceled ? undefined : filePaths[0];
}

function sendTo(contents: WebContents, message: ToPage): void {
  if (!contents.isDestroyed()) contents.send(ipcChannel, message);
}
