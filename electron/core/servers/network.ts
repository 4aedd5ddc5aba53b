/**
 * Network settings of Core and the servers that it starts: the system's certificate authorities, and the proxy that the
 * environment names. Node.js uses neither by default.
 */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { messageOf } from '../../../shared/text-from.ts';
import type { Config } from '../config/schema.ts';
import type { Host } from '../host.ts';

export type Network = ReturnType<typeof createNetwork>;

type Env = Host['env'];

const readTimeoutMs = 10_000;
/** Local servers never go through the proxy. */
const alwaysDirect = 'localhost,127.0.0.1,[::1],::1';

export function createNetwork(host: Host) {
  const { env } = host;
  let applied: Config['network'] | undefined;
  /** The certificates that Node.js trusts by default; read before the first change. */
  let own: string[] | undefined;
  let hasSystemCertificates = false;
  let restoreProxy: (() => void) | undefined;
  const warn = (problem: string, error: unknown) => host.log('warn', `${problem}: ${messageOf(error)}`);

  async function applyCertificates(useSystem: boolean): Promise<void> {
    const extra = await extraCertificates(env).catch((error) => {
      warn('The certificates of NODE_EXTRA_CA_CERTS cannot be read', error);
      return [];
    });
    const system = useSystem
      ? await systemCertificates().catch((error) => warn("The system's certificates cannot be read", error))
      : undefined;
    hasSystemCertificates = false;
    if (!own && extra.length === 0 && !system) return;
    own ??= tls.getCACertificates('default');
    try {
      tls.setDefaultCACertificates([...new Set([...own, ...extra, ...(system ?? [])])]);
      hasSystemCertificates = system !== undefined;
    } catch (error) {
      warn("The system's certificates cannot be used", error);
    }
  }

  function applyProxy(isUsed: boolean): void {
    restoreProxy?.();
    restoreProxy = undefined;
    const proxies = proxyVariables(env);
    if (!isUsed || !proxies) return;
    try {
      restoreProxy = http.setGlobalProxyFromEnv(proxies);
    } catch {
      // The error's message may contain the URL, with its password.
      host.log('warn', 'The proxy cannot be used: its URL in the environment is not valid.');
    }
  }

  return {
    /** The host with the environment for servers: Node.js reads these settings from variables. */
    hostForServers: {
      ...host,
      get env() {
        return {
          ...env,
          ...(hasSystemCertificates && { NODE_USE_SYSTEM_CA: '1' }),
          ...(restoreProxy && { NODE_USE_ENV_PROXY: '1', ...withDirect(env) }),
        };
      },
    },
    /** Applies the settings to this process; servers get them at their next start. Logs problems. */
    async apply(given: Config['network']): Promise<void> {
      const settings = {
        systemCertificates: given.systemCertificates || env.NODE_USE_SYSTEM_CA === '1',
        proxy: given.proxy || env.NODE_USE_ENV_PROXY === '1',
      };
      const before = applied;
      applied = settings;
      if (settings.systemCertificates !== before?.systemCertificates)
        await applyCertificates(settings.systemCertificates);
      if (settings.proxy !== before?.proxy) applyProxy(settings.proxy);
    },
    view(): CommandOutput<'core.status'>['network'] {
      const proxies = proxyVariables(env);
      const url = URL.parse(proxies?.HTTPS_PROXY ?? proxies?.HTTP_PROXY ?? '');
      return {
        certificates: hasSystemCertificates ? 'system' : 'bundled',
        ...(env.NODE_EXTRA_CA_CERTS && { extraCertificates: env.NODE_EXTRA_CA_CERTS }),
        ...(url && { proxy: { url: `${url.protocol}//${url.host}`, isUsed: restoreProxy !== undefined } }),
      };
    },
  };
}

/** The variables in upper case; the lower-case ones take precedence, as in curl. Undefined if no proxy is named. */
function proxyVariables(env: Env): { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY: string } | undefined {
  const HTTP_PROXY = env.http_proxy || env.HTTP_PROXY;
  const HTTPS_PROXY = env.https_proxy || env.HTTPS_PROXY;
  if (!HTTP_PROXY && !HTTPS_PROXY) return undefined;
  return { ...(HTTP_PROXY && { HTTP_PROXY }), ...(HTTPS_PROXY && { HTTPS_PROXY }), NO_PROXY: withDirect(env).NO_PROXY };
}

function withDirect(env: Env): { NO_PROXY: string; no_proxy: string } {
  const given = env.no_proxy || env.NO_PROXY;
  const list = given ? `${given},${alwaysDirect}` : alwaysDirect;
  return { NO_PROXY: list, no_proxy: list };
}

/**
 * Node.js reads the file itself if the variable was set when it started, but not if the variable comes from the login
 * shell. The packaged app ignores the variable.
 */
async function extraCertificates(env: Env): Promise<string[]> {
  const file = env.NODE_EXTRA_CA_CERTS;
  const isKnown = file === process.env.NODE_EXTRA_CA_CERTS && process.versions.electron === undefined;
  if (!file || isKnown) return [];
  const text = await readFile(file, 'utf8');
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

/** Reads the system's certificates in a thread, because the key stores of macOS and Windows may take seconds. */
function systemCertificates(): Promise<string[]> {
  const source = "require('worker_threads').parentPort.postMessage(require('tls').getCACertificates('system'))";
  const worker = new Worker(source, { eval: true });
  return new Promise<string[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${readTimeoutMs / 1000} s`)), readTimeoutMs);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the thread ended'));
    });
  }).finally(() => void worker.terminate());
}
