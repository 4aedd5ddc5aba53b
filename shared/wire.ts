/** A Wire carries frames between Core and a face. Electron IPC, a WebSocket, a socket and a linked pair in memory are Wires. */

/** In every runtime that we use, but neither in the language's own types. */
declare function structuredClone<T>(value: T): T;

export interface Wire {
  send(frame: unknown): void;
  /** One listener; frames that came before it is set are kept and delivered first. */
  onFrame(listener: (frame: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

/** Two Wires joined in memory; frames arrive in a later microtask and are copied, as over a real one. */
export function linkedWires(): [Wire, Wire] {
  const ends: { listener?: (frame: unknown) => void; waiting: unknown[]; closers: (() => void)[] }[] = [
    { waiting: [], closers: [] },
    { waiting: [], closers: [] },
  ];
  let open = true;
  const end = (mine: 0 | 1): Wire => {
    const self = ends[mine] as (typeof ends)[0];
    const peer = ends[1 - mine] as (typeof ends)[0];
    return {
      send(frame) {
        const copy: unknown = structuredClone(frame);
        void Promise.resolve().then(() => {
          if (!open) return;
          if (peer.listener) peer.listener(copy);
          else peer.waiting.push(copy);
        });
      },
      onFrame(listener) {
        self.listener = listener;
        for (const frame of self.waiting.splice(0)) listener(frame);
      },
      onClose: (listener) => void self.closers.push(listener),
      close() {
        if (!open) return;
        open = false;
        for (const { closers } of ends) for (const closer of closers) closer();
      },
    };
  };
  return [end(0), end(1)];
}
