/** The names of tools that a client disables are taken literally, whatever they mean in a rule. */
import { expect, it } from 'vitest';
import { understand } from '../../../electron/core/clients/import/normalize.ts';
import { compileRules } from '../../../electron/core/rules/rules.ts';

const dialect = { urlMeans: 'http', timeoutUnit: 'ms', placeholders: 'none' } as unknown as Parameters<
  typeof understand
>[1];
const enabled = (entry: object, tool: string) => {
  const { server } = understand(
    { name: 'hub', value: { command: 'x', ...entry } } as Parameters<typeof understand>[0],
    dialect,
  );
  const rules = (server.disabledTools ?? []).map((pattern) => ({ server: 'hub', pattern, enabled: false }));
  return compileRules(rules).decide({ server: 'hub', name: tool, safety: 'safe', category: 'general' }).enabled;
};

it.each(['plain', 'ns:delete', '!delete', '/delete', 'a.b/c', 'get [all]', 'löschen', '{a,b}'])(
  'A client can disable %j, or enable nothing else',
  (name) => {
    expect(enabled({ disabledTools: [name] }, name)).toBe(false);
    expect(enabled({ disabledTools: [name] }, 'other')).toBe(true);
    expect(enabled({ includeTools: [name] }, name)).toBe(true);
    expect(enabled({ includeTools: [name] }, 'other')).toBe(false);
  },
);

it('An empty list of enabled tools disables all', () => {
  expect(enabled({ enabled_tools: [] }, 'any')).toBe(false);
  expect(enabled({ disabledTools: [] }, 'any')).toBe(true);
});
