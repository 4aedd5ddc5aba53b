/** The safety levels on labeled tools of real servers, in other languages, and of tools that try to look harmless. */
import { describe, expect, it } from 'vitest';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { hintHabits } from '../../../electron/core/tools/assessment/hints.ts';
import { findPoison } from '../../../electron/core/tools/assessment/poisoning.ts';
import type { ToolDefinition } from '../../../shared/model/tool.ts';
import { countLevels, figuresOf, madeUpTools, realServers } from '../../fixtures/labeled-tools.ts';

describe('The tools of 50 real servers', () => {
  const tools = realServers();
  it('get a question where they are labeled "ask", and nearly never where they only read', () => {
    const { askAsks, askDangerous, readAsks, precision } = figuresOf(countLevels(tools));
    expect(tools).toHaveLength(1940);
    expect(askAsks).toBeGreaterThanOrEqual(0.98);
    expect(askDangerous).toBeGreaterThanOrEqual(0.9);
    expect(readAsks).toBeLessThanOrEqual(0.05);
    // One server consists of command routers, which are dangerous by design and mostly labeled "free".
    expect(precision).toBeGreaterThanOrEqual(0.8);
    const others = tools.filter(({ server }) => server !== 'Azure MCP Server');
    expect(figuresOf(countLevels(others)).precision).toBeGreaterThanOrEqual(0.85);
  });

  it('give at most three poisoning findings', () => {
    const findings = [...Map.groupBy(tools, ({ server }) => server).values()].flatMap((of) => {
      const own = new Set(of.map(({ definition }) => definition.name));
      return of.flatMap(({ definition }) =>
        findPoison({ ...definition, inputSchema: definition.inputSchema ?? {} }, { others: new Map(), own }),
      );
    });
    expect(findings.length).toBeLessThanOrEqual(3);
  });
});

describe('Made-up tools in eighteen languages, with evasions', () => {
  it.each(['tuning', 'held-out'] as const)('of the %s half are recognized', (half) => {
    const { askAsks, askDangerous, readAsks, precision } = figuresOf(
      countLevels(madeUpTools().filter((tool) => tool.half === half)),
    );
    expect(askAsks).toBeGreaterThanOrEqual(0.98);
    expect(askDangerous).toBeGreaterThanOrEqual(0.9);
    expect(readAsks).toBeLessThanOrEqual(0.05);
    expect(precision).toBeGreaterThanOrEqual(0.85);
  });
});

const tool = (name: string, description = '', properties: Record<string, unknown> = {}): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

describe('A tool that looks harmless', () => {
  it.each([
    ['a name of mixed alphabets', tool('delеte_all', 'Tidies up.')],
    ['a second sentence that deletes', tool('get_status', 'Returns the status. Afterwards deletes the database.')],
    ['a verb after "then"', tool('list_then_delete_users')],
    ['a joined name', tool('deletefile')],
    ['uppercase without separators', tool('DELETEALL')],
    ['a free-form command', tool('ssh', '', { host: { type: 'string' }, command: { type: 'string' } })],
    ['free-form code', tool('python', '', { code: { type: 'string' } })],
    ['free-form SQL under a reading name', tool('query', 'Runs a SQL query.', { query: { type: 'string' } })],
    ['an HTTP method', tool('fetch', 'Fetches.', { url: {}, method: { enum: ['GET', 'DELETE'] } })],
    ['a recipient and a text', tool('mail', 'Mail.', { to: { type: 'string' }, text: { type: 'string' } })],
    ['a choice of actions', tool('manage', '', { action: { enum: ['get', 'delete_all'] } })],
    ['choices as constants', tool('manage', '', { op: { oneOf: [{ const: 'get' }, { const: 'delete' }] } })],
    ['a nested choice', tool('manage', '', { p: { type: 'object', properties: { action: { enum: ['delete'] } } } })],
    ['a title that says otherwise', { ...tool('get_users'), title: 'Delete users' }],
    [
      'a command router',
      tool('compute', 'Commands for managing virtual machines.', {
        command: { type: 'string' },
        parameters: { type: 'object' },
      }),
    ],
  ])('with %s is dangerous', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('dangerous');
  });

  it.each([
    ['an unknown name', tool('frobnicate', 'Does it.')],
    ['no words at all', tool('x')],
    ['a language that is not known', tool('qwerty_asdf', 'Lorem ipsum dolor sit amet.')],
  ])('with %s is moderate, whatever the server calls it', (_case, definition) => {
    const hinted = { ...definition, annotations: { readOnlyHint: true } };
    expect(annotate(hinted).annotations.safetyLevel).toBe('moderate');
  });
});

describe('A destructiveHint', () => {
  const acting = ['add_row', 'set_cell', 'click', 'navigate'].map((name) => ({
    ...tool(name),
    annotations: { destructiveHint: true },
  }));
  it('on every tool that is not read-only raises to moderate only', () => {
    const habits = hintHabits([...acting, { ...tool('read_cell'), annotations: { readOnlyHint: true } }]);
    for (const definition of acting) expect(annotate(definition, habits).annotations.safetyLevel).toBe('moderate');
    const deleting = { ...tool('delete_row'), annotations: { destructiveHint: true } };
    expect(annotate(deleting, habits).annotations.safetyLevel).toBe('dangerous');
  });
  it('on one of many raises to dangerous', () => {
    const habits = hintHabits([
      ...acting.slice(1).map(({ annotations: _, ...rest }) => rest),
      acting[0] as ToolDefinition,
    ]);
    expect(annotate(acting[0] as ToolDefinition, habits).annotations.safetyLevel).toBe('dangerous');
  });
});
