/** The hosts that a plan shows: those that the installation really contacts. */
import { expect, it } from 'vitest';
import { connect, type Option, optionsOf } from '../../../electron/core/registry/connect.ts';
import { hostsOf, isPrivate } from '../../../electron/core/registry/hosts.ts';
import { entryOf, type Json, npm, pkg } from '../../fixtures/registry-entries.ts';

async function hosts(server: Json): Promise<string[]> {
  const [option] = optionsOf(entryOf(server)) as [Option];
  return hostsOf(option, connect(option, {}, 'notes'), { homeDir: '/nonexistent', platform: 'linux', env: {} });
}
const remote = (url: string, variables: Json = {}) => ({ remotes: [{ type: 'streamable-http', url, variables }] });

it.each<[string, Json, string[]]>([
  ['an npm package', npm(), ['registry.npmjs.org']],
  ['an image', pkg('oci', 'acme/notes:1'), ['docker.io']],
  ['an image of another registry', pkg('oci', 'ghcr.io/acme/notes:1'), ['ghcr.io']],
  [
    'an image of a registry that is named apart',
    pkg('oci', 'acme/notes:1', { registryBaseUrl: 'https://evil.example' }),
    ['evil.example'],
  ],
  ['an image on this computer', pkg('oci', 'localhost/notes:1'), ['localhost']],
  ['a remote server', remote('https://Mcp.Example.com:8443/x'), ['mcp.example.com:8443']],
  [
    'a remote server whose host is a fixed variable',
    remote('https://{host}/mcp', { host: { value: 'evil.example' } }),
    ['evil.example'],
  ],
  ['a refused package', npm({ version: 'latest' }), []],
])('%s comes from its own host', async (_what, server, expected) => {
  expect(await hosts(server)).toEqual(expected);
});

it.each([
  ...['localhost', 'printer.local', '127.0.0.1', '0.0.0.0', '10.1.2.3', '172.20.0.1', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '[::1]', '[fd00::1]', '[fe80::1]', '[::ffff:7f00:1]', 'metadata.google.internal', 'localhost.'],
])('%s is private', (hostname) => {
  expect(isPrivate(hostname)).toBe(true);
});
it.each(['example.com', '8.8.8.8', '172.32.0.1', '100.128.0.1', '[2606:4700::1]', '10.example.com'])(
  '%s is public',
  (hostname) => {
    expect(isPrivate(hostname)).toBe(false);
  },
);
