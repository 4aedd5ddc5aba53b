/** Supplies servers with their secrets: from the vault, and what nobody has given yet from the person, once (issue 5, point 7). */
import { fail } from '../../../shared/failure.ts';
import type { Field, Question, ServerConfig } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { readPipes } from './files.ts';
import {
  filesOf,
  type Missing,
  type ResolvedConnection,
  resolveConnection,
  secretNames,
  tryResolve,
} from './resolve.ts';
import type { Vault } from './vault.ts';

export interface Supply {
  /** Ready for use; fails with SECRET_MISSING. Asks nobody. */
  resolve(server: ServerConfig): Promise<ResolvedConnection>;
  /**
   * Asks the person for what the server lacks, before somebody needs it. One question per server, shared by all who wait, and
   * after a no not again in this run. Rejects only with APPROVAL_PENDING when `patienceMs` ends before the answer, which
   * still counts; what is not given is told by the start that follows.
   */
  provide(server: ServerConfig, waiting?: ProvideOptions): Promise<void>;
  /** The person starts this server anew: a no from before counts no longer, nor does a value that did not help. */
  forget(server: ServerConfig): void;
}

export interface ProvideOptions {
  /** Who needs the server. */
  from?: Question['from'];
  patienceMs?: number;
  signal?: AbortSignal;
}

/** Puts one form to the person; undefined when there is no answer. */
type Ask = (
  message: string,
  fields: Field[],
  options: { from: Question['from']; signal: AbortSignal },
) => Promise<Record<string, unknown> | undefined>;

export interface SupplyOptions {
  vault: Vault;
  host: Pick<Host, 'env' | 'homeDir'>;
  ask: Ask;
  canAsk(): boolean;
}

interface Asking {
  done: Promise<void>;
  /** Callers that have not left; those whose patience ended come back. */
  waiting: number;
  withdraw: AbortController;
}

const keep = 'gatehouse-keep';

export function createSupply({ vault, host, ask, canAsk }: SupplyOptions): Supply {
  /** What was entered and is not in the vault, by name. */
  const entered = new Map<string, string>();
  const refused = new Set<string>();
  const open = new Map<string, Asking>();

  async function optionsFor({ name, connection }: ServerConfig) {
    const { env, homeDir } = host;
    const stored = await vault.reveal(secretNames(connection, name));
    return { server: name, env, homeDir, stored: new Map([...stored, ...entered]) };
  }

  async function askFor(server: ServerConfig, from: Question['from'], signal: AbortSignal): Promise<void> {
    if (refused.has(server.name) || !canAsk()) return;
    const options = await optionsFor(server).catch(() => undefined);
    if (!options) return;
    const { missing } = tryResolve(server.connection, options);
    // Asking for some of it would not bring the server up while a file is missing.
    if (missing.length === 0 || missing.some(({ name }) => name === undefined)) return;
    const fields = [...missing.map(toField), ...(vault.persistent ? [keepField(vault.label)] : [])];
    const what = missing.length === 1 ? 'a value' : `${missing.length} values`;
    const answer = await ask(`"${server.name}" needs ${what} before it can start.`, fields, {
      from: { ...from, server: server.name },
      signal,
    });
    if (!answer) {
      if (!signal.aborted) refused.add(server.name);
      return;
    }
    for (const { name = '' } of missing) {
      const value = String(answer[name] ?? '');
      if (vault.persistent && answer[keep] === true) await vault.set(name, value);
      else entered.set(name, value);
    }
  }

  function asking(server: ServerConfig, from: Question['from']): Asking {
    const known = open.get(server.name);
    if (known) return known;
    const withdraw = new AbortController();
    const done = askFor(server, from, withdraw.signal).finally(() => open.delete(server.name));
    const fresh = { done, waiting: 0, withdraw };
    open.set(server.name, fresh);
    return fresh;
  }

  return {
    async resolve(server) {
      const options = await optionsFor(server);
      // Only here: what has come out of a pipe once may not come again.
      const pipes = await readPipes(filesOf(server.connection, options));
      return resolveConnection(server.connection, { ...options, pipes });
    },
    async provide(server, { from = {}, patienceMs, signal } = {}) {
      const shared = asking(server, from);
      shared.waiting += 1;
      const given = Promise.withResolvers<void>();
      const leave = () => {
        shared.waiting -= 1;
        if (shared.waiting === 0) shared.withdraw.abort();
        given.resolve();
      };
      const pending = () => given.reject(waitingFor(server.name));
      const timer = patienceMs === undefined ? undefined : setTimeout(pending, patienceMs);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted) leave();
      shared.done.then(given.resolve, given.reject);
      await given.promise.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      });
    },
    forget({ name, connection }) {
      refused.delete(name);
      for (const secret of secretNames(connection, name)) entered.delete(secret);
    },
  };
}

function toField({ title, name = '', masked }: Missing): Field {
  return { name, label: title, kind: masked ? 'secret' : 'text', required: true };
}

function keepField(where: string): Field {
  return {
    name: keep,
    label: 'Remember',
    description: `Keeps it sealed with the ${where}. Otherwise Gatehouse forgets it when it ends.`,
    kind: 'boolean',
    required: false,
    default: true,
  };
}

function waitingFor(server: string) {
  return fail('APPROVAL_PENDING', `The person is being asked for a value that "${server}" needs.`, {
    server,
    hint: 'Make the same call again to go on.',
  });
}
