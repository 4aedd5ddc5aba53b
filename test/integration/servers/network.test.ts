/**
 * Corporate networks: private certificate authorities and proxies, for Core and for the servers that it starts.
 *
 * @module-tag posix
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import { withExtraCertificates } from '../../../electron/core/servers/connection/spawn-server.ts';
import { createNetwork } from '../../../electron/core/servers/network.ts';
import { newProduct } from '../../e2e/product.ts';
import { selfSigned } from '../../fixtures/certificate.ts';
import { commands } from '../../fixtures/commands.ts';
import { testHost } from '../../fixtures/host.ts';
import { startHttpFixture } from '../../fixtures/http-server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function fixture(tls?: ReturnType<typeof selfSigned>) {
  const http = await startHttpFixture({ tls });
  cleanUps.push(() => http.close());
  return http;
}

/** Starts a proxy that connects every host to `port`. */
async function proxyTo(port: number) {
  const seen: string[] = [];
  const proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '');
    seen.push(url.host);
    const { method, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, path: url.pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  proxy.on('connect', ({ url = '' }, socket, head) => {
    seen.push(url);
    const tunnel = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      tunnel.write(head);
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [tunnel, socket]) end.on('error', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://user:pass-word@127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

interface Situation {
  env: Record<string, string>;
  network?: { systemCertificates?: boolean; proxy?: boolean };
  servers: Record<string, object>;
}

async function coreWith({ env, network, servers }: Situation): Promise<Core> {
  const host = testHost({ env });
  const config = { servers, network, approvals: { ask: 'dangerous', destinations: 'any' } };
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(config));
  const core = await createCore(host);
  cleanUps.push(async () => {
    await core.close();
    host.dispose();
  });
  return core;
}

async function settled(core: Core, server: string) {
  const view = async () => (await core.handlers['servers.list']()).find(({ id }) => id === server);
  await expect.poll(async () => (await view())?.toolCount || (await view())?.failure?.code).toBeTruthy();
  return await view();
}
const networkOf = async (core: Core) => (await core.handlers['core.status']()).network;

describe('A proxy that the environment names', () => {
  it('is used for remote servers if the user wants it, but not on this computer, and servers get it too', async () => {
    const http = await fixture();
    const proxy = await proxyTo(Number(new URL(http.origin).port));
    const core = await coreWith({
      env: { HTTP_PROXY: proxy.url, NO_PROXY: 'else.example' },
      network: { proxy: true },
      servers: {
        remote: { url: 'http://mcp.corp.invalid/legacy' },
        near: { url: http.url('/legacy') },
        local: commands.misbehaving('normal'),
      },
    });
    expect((await settled(core, 'remote'))?.failure).toBeUndefined();
    expect((await settled(core, 'near'))?.failure).toBeUndefined();
    expect(new Set(proxy.seen.map((host) => host.replace(/:80$/, '')))).toEqual(new Set(['mcp.corp.invalid']));
    expect(await networkOf(core)).toMatchObject({ proxy: { isUsed: true } });
    expect(JSON.stringify(await networkOf(core))).not.toContain('pass-word');
    const variable = async (name: string) =>
      JSON.stringify(await core.handlers['tools.execute']({ server: 'local', tool: 'env', arguments: { name } }));
    expect(await variable('NODE_USE_ENV_PROXY')).toContain('"1"');
    expect(await variable('NO_PROXY')).toContain('else.example,localhost,127.0.0.1');
  });

  it('is not used otherwise, and the status and the failure say how to use it', async () => {
    const http = await fixture();
    const proxy = await proxyTo(Number(new URL(http.origin).port));
    const core = await coreWith({
      env: { https_proxy: proxy.url, http_proxy: proxy.url },
      servers: { remote: { url: 'http://mcp.corp.invalid/legacy' } },
    });
    const view = await settled(core, 'remote');
    expect(view?.failure?.code).toBe('SERVER_UNREACHABLE');
    expect(proxy.seen).toEqual([]);
    expect(await networkOf(core)).toMatchObject({ proxy: { isUsed: false } });
  });
});

describe('A proxy with an invalid URL', () => {
  it.each([
    'http://user:pass-word@proxy.corp:80:90',
    '://user:pass-word@proxy.corp',
    'user:pass-word@proxy.corp:8080',
    'http://user:pass-word%zz@proxy.corp:8080',
  ])('is not used, and its password is not logged: %s', async (url) => {
    const host = testHost({ env: { HTTPS_PROXY: url } });
    cleanUps.push(host.dispose);
    const network = createNetwork(host);
    await network.apply({ systemCertificates: false, proxy: true });
    expect(network.view().proxy?.isUsed).not.toBe(true);
    expect(host.logged).toEqual([{ level: 'warn', message: expect.stringContaining('its URL in the environment') }]);
    expect(JSON.stringify(host.logged)).not.toContain('pass-word');
  });
});

describe('A private certificate authority', { tags: ['openssl'] }, () => {
  it('is trusted if NODE_EXTRA_CA_CERTS of the login shell names it', async () => {
    const tls = selfSigned();
    const http = await fixture(tls);
    const files = testHost();
    cleanUps.push(files.dispose);
    const file = join(files.homeDir, 'corp.pem');
    writeFileSync(file, `# Corp\n${tls.cert}`);
    const servers = { secure: { url: http.url('/legacy') } };
    const before = await coreWith({ env: {}, servers });
    expect((await settled(before, 'secure'))?.failure?.hint).toContain('network.systemCertificates');
    const core = await coreWith({ env: { NODE_EXTRA_CA_CERTS: file }, servers });
    expect((await settled(core, 'secure'))?.failure).toBeUndefined();
    expect(await networkOf(core)).toEqual({ certificates: 'bundled', extraCertificates: file });
  });

  it('is trusted by a server that runs on the binary of the app, which ignores the variable', async () => {
    const tls = selfSigned();
    const http = await fixture(tls);
    const files = testHost();
    cleanUps.push(files.dispose);
    const [file, binary] = [join(files.homeDir, 'corp.pem'), join(files.homeDir, 'app')];
    writeFileSync(file, tls.cert);
    writeFileSync(binary, `#!/bin/sh\nunset NODE_EXTRA_CA_CERTS\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    const app = { execPath: binary, versions: { ...process.versions, electron: '45.4.1' } };
    const request = (url: string) =>
      `fetch('${url}').then(() => console.log('trusted'), (e) => console.log(e.cause.code))`;
    const env = { ELECTRON_RUN_AS_NODE: '1', NODE_EXTRA_CA_CERTS: file };
    const args = ['-e', request(http.url('/legacy'))];
    const run = async (given: string[]) => (await promisify(execFile)(binary, given, { env })).stdout.trim();
    expect(await run(args)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await run(withExtraCertificates({ command: binary, args, env }, app))).toBe('trusted');
    // Another program, such as a Node.js of the user, reads the variable itself.
    expect(withExtraCertificates({ command: '/usr/bin/node', args, env }, app)).toEqual(args);
  });

  it('of the system is trusted if the user wants it', async () => {
    const tls = selfSigned();
    const http = await fixture(tls);
    const product = newProduct();
    cleanUps.push(() => product.dispose());
    product.file('corp.pem', tls.cert);
    product.env.SSL_CERT_FILE = join(product.home, 'corp.pem');
    mkdirSync(join(product.home, '.toolkeep'));
    const status = async (network: object) => {
      product.file('.toolkeep/config.json', { servers: { secure: { url: http.url('/legacy') } }, network });
      return JSON.parse((await product.cli('status', '--json')).stdout);
    };
    expect(await status({})).toMatchObject({ network: { certificates: 'bundled' }, servers: [{ status: 'failed' }] });
    const trusting = await status({ systemCertificates: true });
    expect(trusting).toMatchObject({ network: { certificates: 'system' }, servers: [{ status: 'ready' }] });
    expect(trusting.servers[0].toolCount).toBeGreaterThan(0);
    expect((await product.cli('status')).stdout).toContain("Certificates: bundled, the system's");
  });
});
