/**
 * The limits on everything that comes from outside, by source. Toolkeep measures first and reads further only within them.
 * `docs/limits.md` explains each; a test compares the two.
 */
const [kb, mb] = [1024, 1024 * 1024];

export const limits = {
  client: {
    messageBytes: 64 * mb,
    heldBytes: 128 * mb,
    requestMs: 60_000,
    batchedMessages: 100,
    statedCharacters: 200,
    subscriptions: 1_000,
    tasks: 100,
    sessions: 200,
    namesOfToken: 50,
  },
  server: {
    messageBytes: 64 * mb,
    batchedMessages: 100,
    batchBytes: 64 * kb,
    openRequests: 50,
    errorCharacters: 64 * kb,
    logBurst: 200,
    logsPerSecond: 20,
    logBytes: 64 * kb,
    outputLineBytes: 1 * mb,
    processes: 16,
    toolNameCharacters: 256,
    toolDescriptionCharacters: 64 * kb,
    toolCharacters: 256 * kb,
    toolDepth: 64,
    instructionsCharacters: 40_000,
    questions: 50,
    questionCharacters: 20_000,
    questionFields: 100,
    questionOptions: 2_000,
  },
  /** A connection of a client or a server: what it may send in one turn of the event loop. */
  turn: {
    lines: 16,
    bytes: 16 * kb,
    ms: 5,
  },
  registry: {
    entries: 50_000,
    entryBytes: 64 * kb,
    pages: 3_000,
    pageBytes: 32 * mb,
    listBytes: 100 * mb,
    requestMs: 30_000,
    manifestBytes: 256 * kb,
  },
  bundle: {
    fileBytes: 512 * mb,
    files: 20_000,
    fileListBytes: 8 * mb,
    unpackedBytes: 1024 * mb,
    compressionRatio: 200,
    manifestBytes: 1 * mb,
  },
  page: {
    frameBytes: 32 * mb,
    unprovenBytes: 64 * kb,
    handshakeBytes: 4 * kb,
    unreadBytes: 128 * mb,
    keys: 100,
  },
  file: {
    configBytes: 4 * mb,
    folderConfigBytes: 128 * kb,
    trustedFiles: 500,
    trustedFileBytes: 16 * mb,
    readClientFileBytes: 300 * mb,
    changedClientFileBytes: 64 * mb,
    parsedJsonBytes: 512 * kb,
    parsedYamlBytes: 48 * kb,
    servers: 500,
    depth: 200,
    secretBytes: 1 * mb,
  },
};
