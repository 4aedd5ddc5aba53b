import { expect, it } from 'vitest';
import { documentSchema } from '../../../electron/core/config/schema.ts';
import { serverName } from '../../../electron/core/registry/plan.ts';
import { isReservedName } from '../../../shared/reserved-name.ts';

it.each(['Toolkeep', 'toolkeep', 'Tool keep', 'T00lkeep', 'Тoolkeep', 'tооlkeep', 'toolkeep-vault', 'you', 'YOU!'])(
  'A server may not be named %s',
  (name) => {
    expect(isReservedName(name)).toBe(true);
    const server = { name, connection: { type: 'stdio', command: 'node' } };
    expect(documentSchema.safeParse({ servers: [server] }).success).toBe(false);
  },
);

it.each(['github', 'toolkit', 'youtube', 'tools', 'keep', 'google-keep'])('A server may be named %s', (name) => {
  expect(isReservedName(name)).toBe(false);
});

it('A registry cannot choose such a name', () => {
  expect(serverName('io.github.evil/toolkeep', new Set())).toBe('server');
  expect(serverName('io.github.evil/toolkeep-mcp', new Set(['server']))).toBe('server-2');
});
