/** The variables that a server inherits from the login shell. */
import { expect, test } from 'vitest';
import { environmentOf, inheritedEnvironment } from '../../../electron/core/servers/process/environment.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';

const local = (more: Partial<ServerConfig> = {}, connection = {}): ServerConfig => ({
  name: 'local',
  enabled: true,
  connection: { type: 'stdio', command: 'node', args: [], env: {}, ...connection },
  ...more,
});
const importedFrom = (...sources: string[]) => ({ origins: sources.map((source) => ({ source })) });

test('A server gets a minimal environment unless it was imported from a client that passes on its own', () => {
  expect(environmentOf(local())).toBe('minimal');
  expect(environmentOf(local(importedFrom('claude-desktop', 'codex')))).toBe('minimal');
  expect(environmentOf(local(importedFrom('cursor')))).toBe('shell');
  expect(environmentOf(local(importedFrom('claude-desktop', 'claude-code')))).toBe('shell');
  expect(environmentOf(local(importedFrom('custom')))).toBe('minimal');
  expect(environmentOf(local({ ...importedFrom('cursor'), sandbox: true }))).toBe('minimal');
});

test('The configured environment takes precedence', () => {
  expect(environmentOf(local(importedFrom('cursor'), { environment: 'minimal' }))).toBe('minimal');
  expect(environmentOf(local({}, { environment: 'shell' }))).toBe('shell');
  expect(environmentOf(local(importedFrom('folder'), { environment: 'shell' }))).toBe('minimal');
});

test('Only the variables that programs need are inherited by default', () => {
  const env = {
    PATH: '/bin',
    Path: 'C:\\bin',
    SystemRoot: 'C:\\Windows',
    no_proxy: 'localhost',
    MISE_DATA_DIR: '/mise',
    AWS_SECRET_ACCESS_KEY: 'key',
    OPENAI_API_KEY: 'key',
    SSH_AUTH_SOCK: '/agent',
    DBUS_SESSION_BUS_ADDRESS: 'unix:x',
    MISSING: undefined,
  };
  expect(Object.keys(inheritedEnvironment(env, 'minimal'))).toEqual([
    'PATH',
    'Path',
    'SystemRoot',
    'no_proxy',
    'MISE_DATA_DIR',
  ]);
  expect(inheritedEnvironment(env, 'shell')).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'key', SSH_AUTH_SOCK: '/agent' });
});

test('No server ever inherits variables that open the vault or change how Electron runs', () => {
  const env = { TOOLKEEP_PASSPHRASE: 'a', toolkeep_token: 'b', ELECTRON_RUN_AS_NODE: '1', TOOLKEEP_HOME: '/home' };
  for (const environment of ['minimal', 'shell'] as const)
    expect(inheritedEnvironment(env, environment)).toEqual({ TOOLKEEP_HOME: '/home' });
});
