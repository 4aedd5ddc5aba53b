/** A Wire carries frames between Core and a UI. Electron IPC, a WebSocket, a socket and a linked pair in memory are Wires. */

/** Every runtime that we use has this function, but the language's types do not. */
declare function structuredClone<T>(value: T): T;

export interface Wire {
  send(frame: unknown): void;
  /** Sets the one listener. Frames that arrived earlier are kept and delivered first. */
  onFrame(listener: (frame: unknown) => void): void;
  /** Calls the listener once, immediately if the Wire is already closed. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A Wire, and the functions with which its transport delivers frames and reports its end. */
export interface WireEnd {
  wire: Wire;
  receive(frame: unknown): void;
  /** Call when the transport closes. Safe to call twice; nothing is sent or received afterwards. */
  closed(): void;
}

/** The receiving half of a Wire, shared by every transport: keeps frames until a listener is set. */
export function bufferedWire(transport: Pick<Wire, 'send' | 'close'>): WireEnd {
  const early: unknown[] = [];
  const closeListeners: (() => void)[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  let isOpen = true;
  return {
    wire: {
      send(frame) {
        if (isOpen) transport.send(frame);
      },
      onFrame(next) {
        listener = next;
        for (const frame of early.splice(0)) next(frame);
      },
      onClose(next) {
        if (isOpen) closeListeners.push(next);
        else next();
      },
      close: () => transport.close(),
    },
    receive(frame) {
      if (!isOpen) return;
      if (listener) listener(frame);
      else early.push(frame);
    },
    closed() {
      if (!isOpen) return;
      isOpen = false;
      for (const next of closeListeners.splice(0)) next();
    },
  };
}

/** Two Wires joined in memory. Frames arrive in a later microtask as copies, as over a real transport. */
export function linkedWires(): [Wire, Wire] {
  const ends: WireEnd[] = [];
  const make = (peer: 0 | 1) =>
    bufferedWire({
      send(frame) {
        const copy: unknown = structuredClone(frame);
        void Promise.resolve().then(() => ends[peer]?.receive(copy));
      },
      close() {
        for (const end of ends) end.closed();
      },
    });
  const [first, second] = [make(1), make(0)];
  ends.push(first, second);
  return [first.wire, second.wire];
}
