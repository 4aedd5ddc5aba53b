/**
 * Reads secrets from password managers, by reference: `op://vault/item/field`. Each manager's own program runs with fixed
 * arguments and without a shell, and asks the user to unlock it if necessary.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import spawn from 'cross-spawn';
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { Host } from '../host.ts';
import { redactText } from './redact.ts';
import { withSecretTimeout } from './timeout.ts';

interface PasswordManager {
  title: string;
  command: string;
  /** The syntax of a reference, for messages. */
  form: string;
  /** The arguments that print the secret; undefined if a part of the reference is missing. */
  args(reference: string): (string | undefined)[];
  /** Picks the secret from the output. */
  pick?(output: string): string | undefined;
}

const managers: Record<string, PasswordManager> = {
  op: {
    title: '1Password',
    command: 'op',
    form: 'op://VAULT/ITEM/FIELD',
    args: (reference) => ['read', '--no-newline', reference],
  },
  bw: {
    title: 'Bitwarden',
    command: 'bw',
    form: 'bw://ITEM or bw://ITEM/FIELD',
    args(reference) {
      const [item, field = 'password'] = partsOf(reference);
      return ['get', field, item, '--raw', '--nointeraction'];
    },
  },
  bws: {
    title: 'Bitwarden Secrets Manager',
    command: 'bws',
    form: 'bws://SECRET_ID',
    args: (reference) => ['secret', 'get', partsOf(reference)[0], '--output', 'json'],
    pick(output) {
      const secret = parseJson(output);
      return isObject(secret) && typeof secret.value === 'string' ? secret.value : undefined;
    },
  },
  dl: {
    title: 'Dashlane',
    command: 'dcli',
    form: 'dl://SECRET_ID/FIELD',
    args: (reference) => ['read', reference],
  },
  doppler: {
    title: 'Doppler',
    command: 'doppler',
    form: 'doppler://PROJECT/CONFIG/NAME',
    args(reference) {
      const [project, config, name] = partsOf(reference);
      return ['secrets', 'get', name, '--plain', '--project', project, '--config', config];
    },
  },
  infisical: {
    title: 'Infisical',
    command: 'infisical',
    form: 'infisical://PROJECT_ID/ENVIRONMENT/NAME',
    args(reference) {
      const [project, environment, name] = partsOf(reference);
      return ['secrets', 'get', name, '--plain', '--silent', '--projectId', project, '--env', environment];
    },
  },
  keeper: {
    title: 'Keeper',
    command: 'ksm',
    form: 'keeper://RECORD_UID/field/NAME',
    args: (reference) => ['secret', 'notation', reference],
  },
  lpass: {
    title: 'LastPass',
    command: 'lpass',
    form: 'lpass://ITEM',
    args: (reference) => ['show', '--password', partsOf(reference)[0]],
  },
  pass: {
    title: 'pass',
    command: 'pass',
    form: 'pass://PATH',
    args: (reference) => ['show', withoutScheme(reference)],
    // The first line is the password; the others are notes.
    pick: (output) => output.split('\n', 1)[0],
  },
  vault: {
    title: 'HashiCorp Vault',
    command: 'vault',
    form: 'vault://MOUNT/PATH#FIELD',
    args(reference) {
      const [, mount, path, field] = /^([^/#]+)\/([^#]+)#(.+)$/.exec(withoutScheme(reference)) ?? [];
      return ['kv', 'get', `-mount=${mount}`, `-field=${field}`, path];
    },
  },
};

/**
 * True for `op://…` and the other forms, which many clients write without braces. False if the text contains quotation marks
 * or percent signs, because they cannot be quoted safely for a Windows batch file.
 */
export const isReference = (text: string): boolean => reference.test(text);

const reference = new RegExp(`^(?:${Object.keys(managers).join('|')})://[^\\s"%\${}]+(?: [^\\s"%\${}]+)*$`);

/** Long enough to answer the password manager's own prompt. */
const unlockMs = 60_000;

type Machine = Pick<Host, 'env' | 'homeDir'>;

/**
 * Returns a function that reads the secrets that references name. It rejects with SECRET_MISSING if a program is not installed
 * or refuses, and with SECRET_TIMEOUT after a minute. Each password manager gets one request at a time, however many servers
 * start at once, so that a locked one prompts only once. Servers share a read that is in progress.
 */
export function createReferenceReader(
  host: Machine,
): (references: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  const reading = new Map<string, Promise<string>>();
  /** The most recently requested read of each scheme. */
  const last = new Map<string, Promise<unknown>>();

  function readShared(reference: string): Promise<string> {
    const known = reading.get(reference);
    if (known) return known;
    const scheme = schemeOf(reference);
    const start = () => read(reference, host);
    const secret = (last.get(scheme) ?? Promise.resolve()).then(start, start).finally(() => reading.delete(reference));
    reading.set(reference, secret);
    last.set(scheme, secret);
    return secret;
  }

  return async (references) => {
    const secrets = new Map<string, string>();
    // The first failure rejects, so the remaining references are not requested.
    for (const reference of new Set(references)) secrets.set(reference, await readShared(reference));
    return secrets;
  };
}

async function read(reference: string, { env, homeDir }: Machine): Promise<string> {
  const { title, command, args, form, pick = withoutNewline } = managers[schemeOf(reference)] as PasswordManager;
  const given = args(reference);
  // An argument that begins with a hyphen could be an option of the program.
  const isComplete = given.every((arg) => arg !== undefined) && partsOf(reference).every((part) => /^[^-]/.test(part));
  if (!isComplete)
    throw fail('SECRET_MISSING', `"${reference}" is not a reference of ${title}.`, { hint: `Write ${form}.` });
  const { output, problem } = await run(command, given as string[], { env: { ...env }, cwd: homeDir }, title);
  const secret = problem === undefined ? pick(output) : undefined;
  if (secret) return secret;
  throw fail('SECRET_MISSING', `${title} did not return "${reference}"${problem ? `: ${problem}` : '.'}`, {
    hint: `Sign in to ${title}, and check the reference with the command \`${command}\`. Then restart the server.`,
  });
}

/** Runs the program to its end; `problem` is the last line that it wrote to stderr. */
async function run(
  command: string,
  args: string[],
  options: { env: Record<string, string | undefined>; cwd: string },
  title: string,
): Promise<{ output: string; problem?: string }> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const { stdout, stderr } = child as ChildProcessByStdio<null, Readable, Readable>;
  try {
    const ended = Promise.all([text(stdout), text(stderr), once(child, 'close')]);
    const [output, errors, [code]] = await withSecretTimeout(ended, title, unlockMs);
    if (code === 0) return { output };
    const lastLine = errors.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
    return { output: '', problem: redactText(lastLine) || `"${command}" ended with exit code ${code}.` };
  } catch (error) {
    child.kill('SIGKILL');
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { output: '', problem: `the command "${command}" was not found.` };
  }
}

const schemeOf = (reference: string) => reference.slice(0, reference.indexOf(':'));
const withoutScheme = (reference: string) => reference.slice(reference.indexOf('://') + 3);
const partsOf = (reference: string) => withoutScheme(reference).split('/');
const withoutNewline = (output: string) => output.replace(/\r?\n$/, '');
