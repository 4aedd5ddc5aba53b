/** Exposes only a Wire to the main process, and nothing else from Electron. Runs sandboxed, as CommonJS. */
import { contextBridge, ipcRenderer } from 'electron';
import { ipcChannel, type PickOptions, type PromptTurn, type ToMain, type ToPage } from '../shared/protocol/ipc.ts';
import { bufferedWire } from '../shared/protocol/wire.ts';

const send = (message: ToMain) => ipcRenderer.send(ipcChannel, message);
const { wire, receive, closed } = bufferedWire({
  send: (frame) => send({ kind: 'frame', frame: String(frame) }),
  close() {},
});
const picking = new Map<number, (path: string | undefined) => void>();
let turn: PromptTurn | undefined;
let turnListener: ((turn: PromptTurn) => void) | undefined;
let lastPick = 0;

ipcRenderer.on(ipcChannel, (_event, message: ToPage) => {
  if (message.kind === 'frame') {
    receive(message.frame);
  } else if (message.kind === 'picked') {
    picking.get(message.id)?.(message.path);
    picking.delete(message.id);
  } else if (message.kind === 'prompt') {
    turn = message.prompt;
    turnListener?.(turn);
  } else {
    closed();
  }
});

contextBridge.exposeInMainWorld('toolkeep', {
  send: wire.send,
  onFrame: wire.onFrame,
  onClose: wire.onClose,
  pickFile: ({ pick, extensions }: PickOptions) =>
    new Promise<string | undefined>((resolve) => {
      lastPick += 1;
      picking.set(lastPick, resolve);
      send({ kind: 'pickFile', id: lastPick, options: { pick, extensions } });
    }),
  prompt: {
    onTurn(next: (turn: PromptTurn) => void) {
      turnListener = next;
      if (turn) next(turn);
    },
    painted: (ofTurn: number, id: string | undefined) => send({ kind: 'painted', turn: ofTurn, id }),
    later: () => send({ kind: 'later' }),
  },
});
send({ kind: 'open' });
