/** Resolves servers' secrets from the vault, and asks the user for missing ones before a server starts. */
import pLimit from 'p-limit';
import { fail, toFailure } from '../../../shared/failure.ts';
import type { Field, Question } from '../../../shared/model/question.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Host, UserPassphrase } from '../host.ts';
import { createReferenceReader } from './password-managers.ts';
import {
  filesOf,
  type Missing,
  type ResolvedConnection,
  referencesOf,
  resolveConnection,
  secretNames,
  tryResolve,
} from './resolve.ts';
import { readPipes } from './secret-files.ts';
import type { Vault } from './vault.ts';

export type MissingSecrets = ReturnType<typeof createMissingSecrets>;

export interface PromptOptions {
  /** The client and tool that need the server. */
  from?: Question['from'];
  clientTimeoutMs?: number;
  /** True if the call runs as a task, so its client does not wait for the answer. */
  isTask?: boolean;
  signal?: AbortSignal;
}

interface Origin {
  from: Question['from'];
  signal: AbortSignal;
}

/** Shows one form to the user; undefined if the user does not answer. */
type Ask = (message: string, fields: Field[], origin: Origin) => Promise<Record<string, unknown> | undefined>;

export interface MissingSecretsOptions {
  vault: Vault;
  host: Pick<Host, 'env' | 'homeDir'>;
  /** Unlocks the vault if the user must enter a passphrase. */
  passphrase?: UserPassphrase | undefined;
  ask: Ask;
  canAsk(): boolean;
}

interface OpenPrompt {
  done: Promise<void>;
  /** Callers that have not disconnected. Includes callers that timed out, because they call again. */
  waiting: number;
  withdraw: AbortController;
}

const rememberField = 'toolkeep-keep';
const passphraseField: Field = { name: 'passphrase', label: 'Passphrase', kind: 'secret', required: true };

export function createMissingSecrets({ vault, host, passphrase, ask, canAsk }: MissingSecretsOptions) {
  /** Entered values that are not in the vault, by name. */
  const entered = new Map<string, string>();
  const refused = new Set<string>();
  const open = new Map<string, OpenPrompt>();
  const inTurn = pLimit(1);
  const readReferences = createReferenceReader(host);

  async function optionsFor({ name, connection }: ServerConfig) {
    const { env, homeDir } = host;
    const stored = await vault.reveal(secretNames(connection, name));
    return { server: name, env, homeDir, stored: new Map([...stored, ...entered]) };
  }

  /** Asks for the vault's passphrase until it is right or the user declines. */
  async function unlock(server: string, origin: Origin): Promise<void> {
    let message = `"${server}" needs secrets from the vault, which is locked.`;
    while (passphrase?.state === 'locked' && !origin.signal.aborted) {
      const answer = await ask(message, [passphraseField], origin);
      if (!answer) {
        if (!origin.signal.aborted) refused.add(server);
        return;
      }
      await passphrase.use(String(answer[passphraseField.name])).catch((error: unknown) => {
        ({ message } = toFailure(error));
      });
    }
  }

  async function askFor(server: ServerConfig, from: Question['from'], signal: AbortSignal): Promise<void> {
    if (refused.has(server.name) || !canAsk()) return;
    const origin = { from: { ...from, server: server.name, isToolkeep: true }, signal };
    const options = await optionsFor(server).catch(async (error: unknown) => {
      if (toFailure(error).code !== 'VAULT_LOCKED') return undefined;
      await inTurn(() => unlock(server.name, origin));
      return optionsFor(server).catch(() => undefined);
    });
    if (!options) return;
    const { missing } = tryResolve(server.connection, options);
    // While a file is missing, the server cannot start even if the user enters the values.
    if (missing.length === 0 || missing.some(({ name }) => name === undefined)) return;
    const fields = [...missing.map(toField), ...(vault.persistent ? [toRememberField(vault.label)] : [])];
    const count = missing.length === 1 ? 'a value' : `${missing.length} values`;
    const answer = await ask(`"${server.name}" needs ${count} before it can start.`, fields, origin);
    if (!answer) {
      if (!signal.aborted) refused.add(server.name);
      return;
    }
    for (const { name = '' } of missing) {
      const value = String(answer[name] ?? '');
      if (vault.persistent && answer[rememberField] === true) await vault.set(name, value);
      else entered.set(name, value);
    }
  }

  function openPrompt(server: ServerConfig, from: Question['from']): OpenPrompt {
    const known = open.get(server.name);
    if (known) return known;
    const withdraw = new AbortController();
    const done = askFor(server, from, withdraw.signal).finally(() => open.delete(server.name));
    const created = { done, waiting: 0, withdraw };
    open.set(server.name, created);
    return created;
  }

  return {
    /** Returns a connection that is ready for use, without asking the user. Fails with SECRET_MISSING. */
    async resolve(server: ServerConfig, folder?: string): Promise<ResolvedConnection> {
      const options = { ...(await optionsFor(server)), folder };
      // Read pipes only here, because a named pipe may deliver its content only once.
      const pipes = await readPipes(filesOf(server.connection, options));
      const references = await readReferences(referencesOf(server.connection));
      return resolveConnection(server.connection, { ...options, pipes, references });
    },
    /**
     * Asks the user for a server's missing values. Concurrent callers share one question. After the user declines, does
     * not ask again in this run. Rejects only with APPROVAL_PENDING, if `clientTimeoutMs` ends before the answer; a later
     * answer still counts. If values stay missing, the server's start reports them.
     */
    async prompt(server: ServerConfig, { from = {}, clientTimeoutMs, signal }: PromptOptions = {}): Promise<void> {
      const shared = openPrompt(server, from);
      shared.waiting += 1;
      const given = Promise.withResolvers<void>();
      const leave = () => {
        shared.waiting -= 1;
        if (shared.waiting === 0) shared.withdraw.abort();
        given.resolve();
      };
      const pending = () => given.reject(pendingFailure(server.name));
      const timer = clientTimeoutMs === undefined ? undefined : setTimeout(pending, clientTimeoutMs);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted) leave();
      shared.done.then(given.resolve, given.reject);
      await given.promise.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      });
    },
    /** Returns the unset values of a server, as written in its configuration. Reads no password manager. */
    async unset(server: ServerConfig): Promise<string[]> {
      // An unreadable vault or file has an error of its own when the server starts.
      const options = await optionsFor(server).catch(() => undefined);
      if (!options) return [];
      try {
        return tryResolve(server.connection, options).missing.map(({ label }) => label);
      } catch (error) {
        return [toFailure(error).message.replace(/\.$/, '')];
      }
    },
    /** Whether the user entered a value that is not in the vault. */
    isEntered: (name: string): boolean => entered.has(name),
    /** Discards the values and refusals of a server that the user restarts, so that Toolkeep may ask again. */
    forget({ name, connection }: ServerConfig): void {
      refused.delete(name);
      for (const secret of secretNames(connection, name)) entered.delete(secret);
    },
  };
}

function toField({ title, name = '', isSecret }: Missing): Field {
  return { name, label: title, kind: isSecret ? 'secret' : 'text', required: true };
}

function toRememberField(vaultLabel: string): Field {
  return {
    name: rememberField,
    label: 'Remember',
    description: `Stores it sealed with the ${vaultLabel}. Otherwise, Toolkeep keeps it only until Toolkeep quits.`,
    kind: 'boolean',
    required: false,
    default: true,
  };
}

function pendingFailure(server: string) {
  return fail('APPROVAL_PENDING', `"${server}" needs a value that the user has not entered yet.`, {
    server,
    hint: 'Repeat the same call to continue.',
  });
}
