/** Gives the page one Wire to the main process, and nothing else of Electron. Runs sandboxed, as CommonJS. */
import { contextBridge, ipcRenderer } from 'electron';
import { ipcChannel, type PromptTurn, type ToMain, type ToPage } from '../shared/ipc.ts';

const send = (message: ToMain) => ipcRenderer.send(ipcChannel, message);
const early: unknown[] = [];
const closers: (() => void)[] = [];
const picking = new Map<number, (path: string | undefined) => void>();
let listener: ((frame: unknown) => void) | undefined;
let turn: PromptTurn | undefined;
let turnListener: ((turn: PromptTurn) => void) | undefined;
let lastPick = 0;

ipcRenderer.on(ipcChannel, (_event, message: ToPage) => {
  if (message.kind === 'frame') {
    if (listener) listener(message.frame);
    else early.push(message.frame);
  } else if (message.kind === 'picked') {
    picking.get(message.id)?.(message.path);
    picking.delete(message.id);
  } else if (message.kind === 'prompt') {
    turn = message.prompt;
    turnListener?.(turn);
  } else {
    for (const closer of closers) closer();
  }
});

contextBridge.exposeInMainWorld('gatehouse', {
  send: (frame: unknown) => send({ kind: 'frame', frame }),
  onFrame(next: (frame: unknown) => void) {
    listener = next;
    for (const frame of early.splice(0)) next(frame);
  },
  onClose: (closer: () => void) => void closers.push(closer),
  pickFile: (options: { folder: boolean }) =>
    new Promise<string | undefined>((resolve) => {
      lastPick += 1;
      picking.set(lastPick, resolve);
      send({ kind: 'pickFile', id: lastPick, folder: options.folder === true });
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
