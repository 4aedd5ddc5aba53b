/**
 * The one place that builds a start of bubblewrap, and that runs one to its end. Between the decision to confine a server and its
 * sandbox, nothing of its entry is executed, loaded or inherited: bubblewrap gets an empty environment, its own session without a
 * terminal, and no descriptors but those that it reads itself.
 */
import { type Launch, spawnInGroup } from '../connection/spawn-server.ts';
import { signalGroup } from '../process/process-group.ts';
import { keyringFilter } from './system-calls.ts';

/**
 * Without `--new-session`: `spawnInGroup` has already made a session without a terminal, whose group must contain every process, so
 * that Core sees the end of all.
 */
const namespaces = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];

/** Enough for the reason of a failure. */
const maxOutput = 10_000;

interface Inside {
  /** The path of bubblewrap. */
  bubblewrap: string;
  options: readonly string[];
  /** The environment in the sandbox. Other users can read a command line, so bubblewrap reads these values from a descriptor. */
  env: Launch['env'];
  /** Program and arguments. */
  command: readonly string[];
}

export function insideLaunch({ bubblewrap, options, env, command }: Inside): Launch {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);
  return {
    command: bubblewrap,
    args: ['--args', '3', '--seccomp', '4', ...namespaces, ...options, '--', ...command],
    // The working directory of bubblewrap itself; the server's may exist only for the server.
    cwd: '/',
    env: {},
    inputs: [variables.map((text) => `${text}\0`).join(''), keyringFilter()],
  };
}

/** Resolves with what the program printed. Rejects with its last errors if it fails or takes longer than `timeoutMs`. */
export function runToEnd(launch: Launch, timeoutMs: number): Promise<string> {
  const child = spawnInGroup(launch, 'linux', 'ignore');
  const outputs = [child.stdout, child.stderr].map((stream) => {
    const output = { text: '' };
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output.text = (output.text + chunk).slice(-maxOutput)));
    return output;
  });
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const [printed = '', errors = ''] = outputs.map(({ text }) => text.trim());
      const how = isLate ? `it took longer than ${timeoutMs / 1_000} seconds` : 'it ended without a message';
      if (code === 0) resolve(printed);
      else reject(new Error(errors || how));
    });
  });
}
