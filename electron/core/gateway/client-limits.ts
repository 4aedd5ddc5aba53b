/** The limits of one client. Core measures everything before it reads further. `docs/clients.md` gives them. */
export const clientLimits = {
  messageBytes: 64 * 1024 * 1024,
  /** All HTTP requests of the client together: two messages of the maximum size. */
  heldBytes: 128 * 1024 * 1024,
  /** The time in which an HTTP request must arrive. */
  requestMs: 60_000,
  batchedMessages: 100,
  /** The length of the name and of the version that the client states. */
  statedCharacters: 200,
  subscriptions: 1_000,
  tasks: 100,
} as const;
