/** Which local servers are not confined from the start, and what the words of the others suggest. */
import { describe, expect, it } from 'vitest';
import { supposedNeed, whyUnsuited } from '../../../electron/core/servers/unsuited.ts';

const local = (command: string, args: string[] = [], more: { env?: Record<string, string>; cwd?: string } = {}) => ({
  type: 'stdio' as const,
  command,
  args,
  env: {},
  ...more,
});

describe('A server that is not confined from the start', () => {
  it('is exactly a known package, or a container', () => {
    expect(whyUnsuited(local('npx', ['-y', '@playwright/mcp@latest', '--headless']))).toBe('it controls a browser');
    expect(whyUnsuited(local('npx', ['-y', '@bytebase/dbhub']))).toBe('it connects to a database');
    expect(whyUnsuited(local('uvx', ['blender-mcp']))).toBe('it controls an app');
    expect(whyUnsuited(local('docker', ['run', '-i', 'image']))).toContain('container');
  });

  it.each([
    ['a word in its name', local('npx', ['-y', 'notes-desktop'])],
    ['a word in the name of its script', local('node', ['/srv/notes-desktop.mjs'])],
    ['a known name in another scope', local('npx', ['-y', '@evil/playwright-mcp'])],
    ['a known name in a path', local('npx', ['-y', './@playwright/mcp'])],
    ['a known name as an alias', local('npx', ['-y', '@playwright/mcp@npm:evil'])],
    ['a known name as an address', local('npx', ['-y', '@playwright/mcp@https://evil.example/a.tgz'])],
    ['a name that every object has', local('npx', ['-y', 'constructor'])],
    ['a known package beside another one', local('npx', ['-y', '--package', 'evil', '@playwright/mcp'])],
    ['an option that names the package', local('npx', ['--package=evil', '@playwright/mcp'])],
    ['an argument that names a program', local('npx', ['-y', '@playwright/mcp', '--executable-path', './evil'])],
    ['an argument that names a file above', local('npx', ['-y', '@playwright/mcp', '--config=..'])],
    ['a program of its own with the name of one', local('/srv/npx', ['-y', '@playwright/mcp'])],
    ['a container program of its own', local('/srv/docker', ['run'])],
    ['a PATH of its own', local('npx', ['-y', '@playwright/mcp'], { env: { PATH: '/srv' } })],
    [
      'a registry of its own',
      local('npx', ['-y', '@playwright/mcp'], { env: { npm_config_registry: 'https://e.test' } }),
    ],
    ['a container host of its own', local('docker', ['run'], { env: { DOCKER_HOST: 'tcp://e.test' } })],
    ['a folder of its own, whose .npmrc counts', local('npx', ['-y', '@playwright/mcp'], { cwd: '/srv' })],
    ['an address of this computer', local('node', ['/srv/a.mjs', 'http://localhost:1/'])],
    ['an address of a database', local('node', ['/srv/a.mjs'], { env: { URL: 'postgres://db/x' } })],
  ])('is not one with %s', (_, connection) => {
    expect(whyUnsuited(connection)).toBeUndefined();
  });
});

describe('What a confined server may need', () => {
  it('is read from its name, its addresses and its variables', () => {
    const needs = [
      local('npx', ['-y', 'notes-desktop']),
      local('node', ['/srv/a.mjs', 'http://localhost:1/']),
      local('node', ['/srv/a.mjs'], { env: { URL: 'postgres://db/x' } }),
      local('node', ['/srv/a.mjs'], { env: { MCP_IMAP_HOST: 'imap.example.com' } }),
      local('npx', ['-y', 'email-mcp']),
      local('uvx', ['ssh-mcp-server']),
      local('node', ['/srv/a.mjs', 'ldaps://dc.example.com']),
      local('npx', ['-y', 'mqtt-mcp']),
      local('npx', ['-y', 'mcp-server-weather']),
    ].map(supposedNeed);
    expect(needs).toEqual([
      'it controls an app',
      'it connects to this computer or the local network',
      'it connects to a database',
      'it connects to a mail server',
      'it connects to a mail server',
      'it connects by SSH',
      'it connects to a directory by LDAP',
      'it connects to a broker by MQTT',
      undefined,
    ]);
  });
});
