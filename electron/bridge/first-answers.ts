/**
 * Keeps in the data folder what Core answered first when this client connected last: its `initialize` and its list of tools. The
 * bridge repeats them while a Core starts, because some clients send their first prompt to the model without waiting for tools.
 * Only clients that begin with `initialize`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../../shared/parse-json.ts';
import type { CoreRequest } from '../../shared/protocol/bridge-protocol.ts';
import type { Message } from './messages.ts';

export type FirstAnswers = ReturnType<typeof createFirstAnswers>;

interface Kept {
  initialize: unknown;
  tools: unknown;
}

/** A longer list is not kept, because the bridge would parse it at each start. */
const maxBytes = 1_000_000;
/** More come only from clients that introduce themselves differently each time. */
const maxFiles = 100;
/** Files that change when the user changes what a client may see. */
const decisions = /^(?:last-good-settings\.json|config\.\w+)$/;

export function createFirstAnswers(dataDir: string, request: Omit<CoreRequest, 'purpose'>) {
  const { mode, readTool, server, profile, client } = request;
  let file: string | undefined;
  let kept: Partial<Kept> = {};
  let repeated: Kept | undefined;

  function open(params: unknown): void {
    const key = JSON.stringify([mode, readTool, server, profile, client, params]);
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    file = join(dataDir, 'run', 'first', `${name}.json`);
    kept = {};
  }

  /** Undefined if the user has changed anything since, as well as for a file that cannot be read. */
  function read(): Kept | undefined {
    if (file === undefined) return undefined;
    try {
      const { mtimeMs } = statSync(file);
      const changed = readdirSync(dataDir).filter((name) => decisions.test(name));
      if (changed.some((name) => statSync(join(dataDir, name)).mtimeMs >= mtimeMs)) return undefined;
      const { initialize, tools } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>;
      return initialize && tools ? { initialize, tools } : undefined;
    } catch {
      return undefined;
    }
  }

  function save(): void {
    if (file === undefined || kept.initialize === undefined || kept.tools === undefined) return;
    try {
      const folder = dirname(file);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (readdirSync(folder).length > maxFiles)
        for (const old of readdirSync(folder)) rmSync(join(folder, old), { force: true });
      const part = `${file}.${process.pid}`;
      writeFileSync(part, JSON.stringify(kept), { mode: 0o600 });
      renameSync(part, file);
    } catch {
      // The next start waits for Core.
    }
  }

  /** A list of several pages is not kept. */
  function keepTools(result: unknown): void {
    if ((result as { nextCursor?: unknown } | undefined)?.nextCursor !== undefined) return;
    kept.tools = result;
    save();
  }

  const isList = ({ method, params }: Message) => method === 'tools/list' && params?.cursor === undefined;

  return {
    /** The result for a client's request before the first Core is connected; undefined if Core must answer. */
    resultFor(message: Message): unknown {
      if (message.method === 'initialize') {
        open(message.params);
        repeated = read();
        return repeated?.initialize;
      }
      return isList(message) ? repeated?.tools : undefined;
    },
    /** Whether the client was answered from here. */
    isRepeating: (): boolean => repeated !== undefined,
    /** Records Core's response to a client's request. */
    record(request: Message, line: Buffer): void {
      if (request.method === 'initialize') open(request.params);
      else if (!isList(request)) return;
      const { result } = line.length > maxBytes ? {} : ((parseJson(line.toString()) ?? {}) as Message);
      if (request.method === 'initialize') kept = { initialize: result };
      else keepTools(result);
    },
    keepTools,
    /** Compares what was repeated with the answers of the Core that has started. Returns whether the tools differ. */
    replace(initialize: unknown, tools: unknown): boolean {
      kept = { initialize };
      keepTools(tools);
      return JSON.stringify(tools) !== JSON.stringify(repeated?.tools);
    },
    /** Call when Core says that the tools have changed. */
    forget(): void {
      delete kept.tools;
      if (file !== undefined) rmSync(file, { force: true });
    },
  };
}
