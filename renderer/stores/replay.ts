/** Passes a call that the user wants to run again from the history to the form of its tool. */

export interface ReplayedCall {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

export interface Replay {
  start(call: ReplayedCall): void;
  /** The arguments for the form of a tool. */
  argumentsFor(server: string, tool: string): Record<string, unknown> | undefined;
  end(): void;
}

export function createReplay(): Replay {
  let current: ReplayedCall | undefined;
  return {
    start(call) {
      current = call;
    },
    argumentsFor: (server, tool) =>
      current?.server === server && current.tool === tool ? current.arguments : undefined,
    end() {
      current = undefined;
    },
  };
}
