/** Finds the Wire to Core: the preload's in Electron, a WebSocket with a token in the browser. The rest is the same code. */
import { fail } from '../shared/failure.ts';
import type { Wire } from '../shared/wire.ts';
import type { PromptBridge } from './stores/prompt.ts';

/** What the preload exposes. `pickFile` shows the machine's own file dialog; undefined when the person cancels. */
export interface PreloadBridge {
  send(frame: unknown): void;
  onFrame(listener: (frame: unknown) => void): void;
  onClose(listener: () => void): void;
  pickFile?(options: { folder: boolean }): Promise<string | undefined>;
  prompt: PromptBridge;
}

declare global {
  interface Window {
    gatehouse?: PreloadBridge;
  }
}

const tokenKey = 'gatehouse.token';

/** Takes the token out of the address, so that it is neither seen nor bookmarked; it lives as long as the tab. */
export function takeToken(): string {
  const given = /[#&]token=([^&]+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem(tokenKey, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  }
  return given ? decodeURIComponent(given) : (sessionStorage.getItem(tokenKey) ?? '');
}

/** Opens a Wire; rejects with CORE_UNREACHABLE, or with INPUT_INVALID when the token is refused. */
export function openWire(token: string): Promise<Wire> {
  return window.gatehouse ? Promise.resolve(preloadWire(window.gatehouse)) : socketWire(token);
}

function preloadWire(bridge: PreloadBridge): Wire {
  const closers: (() => void)[] = [];
  bridge.onClose(() => {
    for (const closer of closers) closer();
  });
  return {
    send: (frame) => bridge.send(frame),
    onFrame: (listener) => bridge.onFrame(listener),
    onClose: (listener) => void closers.push(listener),
    close() {},
  };
}

function socketWire(token: string): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>();
  const socket = new WebSocket(`ws://${location.host}/wire`);
  const closers: (() => void)[] = [];
  const waiting: unknown[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  let admitted = false;

  socket.onopen = () => socket.send(JSON.stringify({ token }));
  socket.onmessage = (event) => {
    const frame = JSON.parse(String(event.data)) as { ok?: boolean; message?: string };
    if (!admitted) {
      if (!frame.ok) return reject(fail('INPUT_INVALID', frame.message ?? 'The token was refused.'));
      admitted = true;
      return resolve({
        send: (outgoing) => socket.send(JSON.stringify(outgoing)),
        onFrame(next) {
          listener = next;
          for (const early of waiting.splice(0)) next(early);
        },
        onClose: (closer) => void closers.push(closer),
        close: () => socket.close(),
      });
    }
    if (listener) listener(frame);
    else waiting.push(frame);
  };
  socket.onclose = () => {
    reject(fail('CORE_UNREACHABLE', 'Gatehouse does not answer.'));
    for (const closer of closers) closer();
  };
  return promise;
}
