/** The connection between a test and the app: the IPC channel of the stand-in, or a local socket. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Control {
  send(request: { id: number; name: string; args: unknown[] }): void;
  onReply(listener: (reply: { id: number; value?: unknown; error?: string }) => void): void;
}

export function ipcControl(child: ChildProcess): Control {
  return {
    send: (request) => child.connected && child.send(request),
    onReply: (listener) => void child.on('message', listener),
  };
}

/** For real Electron, which has no IPC channel on Windows. The app connects to `path`. */
export async function socketControl(): Promise<{ path: string; control: Control; close(): void }> {
  const name = `toolkeep-control-${crypto.randomUUID()}`;
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
  const { promise: connected, resolve } = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    resolve(socket);
  });
  await new Promise<void>((listening) => server.listen(path, listening));
  return {
    path,
    control: {
      send: (request) => void connected.then((socket) => socket.write(`${JSON.stringify(request)}\n`)),
      onReply: (listener) =>
        void connected.then((input) => createInterface({ input }).on('line', (line) => listener(JSON.parse(line)))),
    },
    close() {
      server.close();
      void connected.then((socket) => socket.destroy());
      rmSync(path, { force: true });
    },
  };
}
