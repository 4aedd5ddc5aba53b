/** The network of a confined server: a port in its namespace that leads to Toolkeep's proxy, and nothing else. */
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { placeText } from '../../../../shared/secret-place.ts';
import type { NetworkHost } from '../../types.ts';
import { type Confinement, refused } from './confinement.ts';
import { certificateVariables } from './mounts.ts';
import { mayPass, startNetworkProxy } from './network-proxy.ts';
import { proxiedAgents } from './proxied-agents.ts';
import { createSecretRelay } from './secret-relay.ts';
import type { StandIn } from './stand-ins.ts';

const proxySocket = '/run/toolkeep-proxy';
const proxyPort = 3128;
const proxyUrl = `http://127.0.0.1:${proxyPort}`;
/** Without the proxy, these names lead to the server's own namespace. */
const own = 'localhost,127.0.0.1';
const proxyVariables = (isLocalAllowed: boolean) => ({
  ...{ HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, http_proxy: proxyUrl, https_proxy: proxyUrl },
  ...{ NO_PROXY: isLocalAllowed ? '' : own, no_proxy: isLocalAllowed ? '' : own, NODE_USE_ENV_PROXY: '1' },
});
const agentsFile = '/run/toolkeep-agents.cjs';
const certificateFile = '/run/toolkeep-certificates.pem';
/** The state `0A` is LISTEN. The network namespace contains no other sockets. */
const isListening = `grep -q ':${proxyPort.toString(16).toUpperCase().padStart(4, '0')} .* 0A ' /proc/net/tcp`;
/** Runs the server when the port that leads to the proxy is open. `$1` is socat. */
const withProxy = `"$1" TCP-LISTEN:${proxyPort},bind=127.0.0.1,fork UNIX-CONNECT:${proxySocket} >/dev/null 2>&1 &
until ${isListening}; do
  kill -0 $! 2>/dev/null || { echo 'socat ended, so there is no network.' >&2; exit 1; }
  sleep 0.01
done
shift
exec "$@"`;

/** The proxy, and how the server finds it. */
export async function startNetwork(
  socat: string,
  standIns: readonly StandIn[],
  nodeOptions: string,
  { host, server, limits, onProblem }: Confinement,
) {
  const { report, mayReach, network } = limits;
  const onRefused = (target: NetworkHost) => {
    const { host, port, secret, place } = target;
    report?.refused(target);
    if (secret === undefined)
      onProblem('network', `It tried to reach ${host}:${port}, which its \`sandbox\` does not allow.`);
    else {
      const where = place === undefined ? '' : ` ${placeText(place)}`;
      onProblem('secret', `It tried to send ${secret} to ${host}:${port}${where}, which did not receive it.`);
    }
  };
  const onReached = (target: NetworkHost) => report?.reached(target);
  // Loaded only if needed: its library takes as long as a small server.
  const certificates = standIns.length > 0 ? await (await import('./certificates.ts')).createCertificates() : undefined;
  const relay =
    certificates &&
    createSecretRelay({
      certificates,
      standIns,
      onSent: onReached,
      onProblem: (message) => onProblem('secret', message),
      async maySend(target) {
        const isAllowed = await mayPass(target, mayReach);
        if (!isAllowed) onRefused(target);
        return isAllowed;
      },
    });
  const proxy = await startNetworkProxy({
    ...{ host, network, mayReach, relay, onReached, onRefused },
    onUnknown: (target) => onProblem('name', `It could not reach ${target.host}: the name leads to no address.`),
  });
  const files: [inside: string, content: string][] = [
    [agentsFile, proxiedAgents],
    ...(certificates ? [[certificateFile, certificates.authorities] as [string, string]] : []),
  ];
  const mounts: string[] = [];
  for (const [inside, content] of files) {
    const file = join(proxy.folder, basename(inside));
    try {
      await writeFile(file, content);
    } catch (error) {
      proxy.close();
      throw refused(server, `${file} could not be written (${(error as NodeJS.ErrnoException).code})`);
    }
    mounts.push('--ro-bind', file, inside);
  }
  const names = certificates ? certificateVariables : [];
  return {
    args: ['--bind', proxy.socket, proxySocket, ...mounts],
    start: ['/bin/sh', '-c', withProxy, 'sh', socat],
    env: {
      ...proxyVariables(network.local === true),
      NODE_OPTIONS: `${nodeOptions} --require=${agentsFile}`.trim(),
      ...Object.fromEntries(names.map((name) => [name, certificateFile])),
    },
    close: proxy.close,
  };
}
