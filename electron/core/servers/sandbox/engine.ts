/** The programs that confine servers, and whether they work on this computer. */
import { basename } from 'node:path';
import which from 'which';
import { toFailure } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import { refused } from './confinement.ts';
import { systemFolders } from './needed-paths.ts';
import { insideLaunch, runToEnd } from './run-inside.ts';

type Machine = Pick<Host, 'platform' | 'env'>;

export const system = [
  ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
];
const probeTimeoutMs = 10_000;

/** Whether the command only asks a service outside of the sandbox to start the server. */
export const isContainer = (command: string): boolean => /^(?:docker|podman|nerdctl)$/.test(basename(command));

export function requireSystem({ platform }: Pick<Host, 'platform'>, server: string): void {
  if (platform !== 'linux') throw refused(server, onlyOnLinux);
}

/** Rejects with SERVER_SPAWN_FAILED if a program is missing or does not work. */
export async function findEngine(host: Machine, server: string, hasNetwork: boolean) {
  const bubblewrap = await programOf('bwrap', 'bubblewrap', host, server);
  const socat = hasNetwork ? await programOf('socat', 'socat', host, server) : undefined;
  await probe(bubblewrap, server);
  return { bubblewrap, socat };
}

/** Why no server with a network can be confined on this computer, and what helps. Undefined if they can be. */
export async function whyNotHere(host: Machine): Promise<string | undefined> {
  const reason = await obstacleOf(host);
  found = { path: host.env.PATH ?? '', reason };
  return reason;
}

async function obstacleOf(host: Machine): Promise<string | undefined> {
  try {
    requireSystem(host, '');
    await findEngine(host, '', true);
    return undefined;
  } catch (error) {
    const { message, hint = '' } = toFailure(error);
    const reason = message.slice(message.indexOf(': ') + 2);
    return host.platform === 'linux' ? `${reason} ${hint.replace(orRemove, '')}` : reason.replace(/\.$/, '');
  }
}

let found: { path: string; reason: string | undefined } | undefined;

/** The last answer of `whyNotHere`. Without one, asks it in the background. */
export function knownObstacle(host: Machine): string | undefined {
  if (host.platform === 'linux' && found?.path === (host.env.PATH ?? '')) return found.reason;
  void whyNotHere(host);
  return host.platform === 'linux' ? undefined : onlyOnLinux;
}

const onlyOnLinux = 'Toolkeep can confine servers only on Linux';
const orRemove = ", or remove `sandbox` from the server's configuration";

/** Looks only in the user's own PATH, because the server's PATH may come from others. */
async function programOf(command: string, name: string, { env }: Machine, server: string): Promise<string> {
  const found = await which(command, { path: env.PATH ?? '', nothrow: true });
  if (found !== null) return found;
  const hint = `Install it (Debian, Ubuntu: \`sudo apt install ${name}\`)${orRemove}.`;
  throw refused(server, `${name} was not found`, hint);
}

/** Those that have started a program. If one fails later, so does the start of the server. */
const working = new Set<string>();

/** Some systems forbid the namespaces. bubblewrap then says why. */
async function probe(bubblewrap: string, server: string): Promise<void> {
  if (working.has(bubblewrap)) return;
  try {
    await runToEnd(
      insideLaunch({ bubblewrap, options: system, env: {}, command: ['/bin/sh', '-c', ':'] }),
      probeTimeoutMs,
    );
    working.add(bubblewrap);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : '')
      .split('\n')
      .at(-1)
      ?.replace(/^bwrap: /, '')
      .slice(0, 300);
    const hint =
      'Allow bubblewrap to create user namespaces: on Ubuntu, install `apparmor-profiles`, copy /usr/share/apparmor/extra-profiles/bwrap-userns-restrict to /etc/apparmor.d, and run `sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`.';
    throw refused(server, `bubblewrap does not work here (${reason || 'it ended without a message'})`, hint);
  }
}
