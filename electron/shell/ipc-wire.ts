/** Electron IPC as Wires: the only place that touches ipcMain. Every message is checked for who sent it. */
import { dialog, type IpcMainEvent, ipcMain, type WebContents } from 'electron';
import { ipcChannel, type PromptTurn, type ToMain, type ToPage } from '../../shared/ipc.ts';
import type { Wire } from '../../shared/wire.ts';
import { isOwnPage } from './app-protocol.ts';

/** What a prompt window says. */
export interface PromptListener {
  /** A document is there and hears; again after a reload. */
  opened(): void;
  painted(turn: number, id: string | undefined): void;
  later(): void;
}

export interface IpcWires {
  /** Only windows named here are listened to. */
  trust(contents: WebContents, prompt?: PromptListener): void;
  tellPrompt(contents: WebContents, prompt: PromptTurn): void;
  /** Tells every page that the Core is gone. */
  close(): void;
}

interface OpenWire {
  receive(frame: unknown): void;
  end(): void;
}

/** `onWire` gets a Wire for each document that a trusted window loads; it closes with the document. */
export function listenToPages(onWire: (wire: Wire, from: { isPrompt: boolean }) => void): IpcWires {
  const trusted = new Map<WebContents, OpenWire | undefined>();
  const prompts = new Map<WebContents, PromptListener>();

  const listen = (event: IpcMainEvent, message: ToMain) => {
    const { sender, senderFrame } = event;
    // A frame inside the page, or a page that came in place of ours, is nobody we know.
    if (!trusted.has(sender) || senderFrame !== sender.mainFrame || !isOwnPage(senderFrame.url)) return;
    if (message.kind === 'open') {
      trusted.get(sender)?.end();
      const { wire, open } = openWire(sender);
      trusted.set(sender, open);
      onWire(wire, { isPrompt: prompts.has(sender) });
      prompts.get(sender)?.opened();
    } else if (message.kind === 'frame') {
      trusted.get(sender)?.receive(message.frame);
    } else if (message.kind === 'painted') {
      prompts.get(sender)?.painted(message.turn, message.id);
    } else if (message.kind === 'later') {
      prompts.get(sender)?.later();
    } else {
      void pickFile(sender, message);
    }
  };
  ipcMain.on(ipcChannel, listen);

  return {
    trust(contents, prompt) {
      trusted.set(contents, undefined);
      if (prompt) prompts.set(contents, prompt);
      contents.once('destroyed', () => {
        trusted.get(contents)?.end();
        trusted.delete(contents);
        prompts.delete(contents);
      });
      contents.on('render-process-gone', () => trusted.get(contents)?.end());
    },
    tellPrompt: (contents, prompt) => tell(contents, { kind: 'prompt', prompt }),
    close() {
      ipcMain.off(ipcChannel, listen);
      for (const open of trusted.values()) open?.end();
    },
  };
}

function openWire(contents: WebContents): { wire: Wire; open: OpenWire } {
  const waiting: unknown[] = [];
  const closers: (() => void)[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    tell(contents, { kind: 'closed' });
    isOpen = false;
    for (const closer of closers) closer();
  };
  const wire: Wire = {
    send: (frame) => void (isOpen && tell(contents, { kind: 'frame', frame })),
    onFrame(next) {
      listener = next;
      for (const frame of waiting.splice(0)) next(frame);
    },
    onClose: (closer) => void closers.push(closer),
    close: end,
  };
  const receive = (frame: unknown) => {
    if (!isOpen) return;
    if (listener) listener(frame);
    else waiting.push(frame);
  };
  return { wire, open: { receive, end } };
}

async function pickFile(contents: WebContents, { id, folder }: { id: number; folder: boolean }): Promise<void> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    properties: folder ? ['openDirectory'] : ['openFile', 'showHiddenFiles'],
  });
  tell(contents, { kind: 'picked', id, path: canceled ? undefined : filePaths[0] });
}

function tell(contents: WebContents, message: ToPage): void {
  if (!contents.isDestroyed()) contents.send(ipcChannel, message);
}
