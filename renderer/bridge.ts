/** Opens the wire to Core: the preload bridge in Electron, a WebSocket in a browser. */
import { fail } from '../shared/failure.ts';
import { handshakeVersion, type Nonces, transcript } from '../shared/protocol/bridge-protocol.ts';
import type { PickOptions } from '../shared/protocol/ipc.ts';
import { bufferedWire, type Wire } from '../shared/protocol/wire.ts';
import { type PageCode, pageCode } from './page-code.ts';
import type { PromptBridge } from './stores/prompt.ts';
import { t } from './text.tsx';

/**
 * The API that the preload script exposes. `pickFile` shows the native file dialog and resolves with undefined if the
 * user cancels.
 */
export interface PreloadBridge {
  /** Frames are JSON. */
  send(frame: string): void;
  onFrame(listener: (frame: string) => void): void;
  onClose(listener: () => void): void;
  pickFile?(options: PickOptions): Promise<string | undefined>;
  prompt: PromptBridge;
}

/** Set by `npm run dev`, whose server forwards the WebSocket to Core. */
declare const __coreHost: string | undefined;
const coreHost = typeof __coreHost === 'undefined' ? location.host : __coreHost;

declare global {
  interface Window {
    toolkeep?: PreloadBridge;
  }
}

/** This tab's key: at first the code from its address, later the key that replaces it. */
interface PageKey extends PageCode {
  /** True for a code, which works for one connection. */
  isCode: boolean;
}

/**
 * Returns the function that opens a Wire. It rejects with CORE_UNREACHABLE, or with INPUT_INVALID if Core refuses the
 * key. The key exists only in this closure, so a reloaded page needs a new address.
 */
export function pageWire(): () => Promise<Wire> {
  const { toolkeep } = window;
  if (toolkeep) return () => Promise.resolve(preloadWire(toolkeep));
  let key: PageKey = { ...pageCode, isCode: true };
  return () =>
    socketWire(key, (next) => {
      key = next;
    });
}

function preloadWire(bridge: PreloadBridge): Wire {
  return {
    send: (frame) => bridge.send(JSON.stringify(frame)),
    onFrame: (listener) => bridge.onFrame((frame) => listener(JSON.parse(frame))),
    onClose: (listener) => bridge.onClose(listener),
    close() {},
  };
}

/**
 * Sends only a nonce until the other end has proved that it knows the key, because another program may be listening on
 * the port of a stopped Toolkeep. `onKey` receives the key for the next connection.
 */
function socketWire(key: PageKey, onKey: (key: PageKey) => void): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>();
  if (!key.id) return Promise.reject(fail('INPUT_INVALID', t('This page’s address contains no code.')));
  const socket = new WebSocket(`ws://${location.host}/wire`);
  const { wire, receive, closed } = bufferedWire({
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
  });
  const nonces: Nonces = { client: randomNonce(), core: '' };
  let step: 'challenge' | 'verdict' | 'open' = 'challenge';
  const refuse = (message: string) => {
    reject(fail('INPUT_INVALID', message));
    socket.close();
  };

  async function prove(challenge: Handshake): Promise<void> {
    nonces.core = String(challenge.nonce);
    const isCore = challenge.proof === (await sign(key.secret, transcript('core', coreHost, nonces)));
    if (!isCore) return refuse(t('The program at this address is not your Toolkeep.'));
    const proof = await sign(key.secret, transcript('client', coreHost, nonces));
    if (key.isCode)
      onKey({ id: key.id, secret: await sign(key.secret, transcript('session', coreHost, nonces)), isCode: false });
    step = 'verdict';
    socket.send(JSON.stringify({ proof }));
  }

  socket.onopen = () => socket.send(JSON.stringify({ toolkeep: handshakeVersion, id: key.id, nonce: nonces.client }));
  socket.onmessage = (event) => {
    const message: unknown = JSON.parse(String(event.data));
    if (step === 'open') return receive(message);
    const { ok, message: reason, proof } = message as Handshake;
    if (ok === false) return refuse(reason ?? t('Toolkeep refused this page.'));
    if (step === 'challenge' && proof) return void prove(message as Handshake);
    if (step !== 'verdict' || !ok) return refuse(t('The program at this address is not your Toolkeep.'));
    step = 'open';
    return resolve(wire);
  };
  socket.onclose = () => {
    reject(fail('CORE_UNREACHABLE', t('Toolkeep is not responding.')));
    closed();
  };
  return promise;
}

/** A handshake message; untrusted until the handshake is complete. */
interface Handshake {
  ok?: boolean;
  message?: string;
  nonce?: string;
  proof?: string;
}

/** HMAC-SHA-256 in base64url. */
async function sign(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text))));
}

const randomNonce = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
