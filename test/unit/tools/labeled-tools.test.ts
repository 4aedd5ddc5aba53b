/** The safety levels of labeled tools: of real servers, and invented ones in other languages. */
import { describe, expect, it } from 'vitest';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { findPoison } from '../../../electron/core/tools/assessment/poisoning.ts';
import type { ToolDefinition } from '../../../shared/model/tool.ts';
import {
  countLevels,
  figuresOf,
  hostileTools,
  type LabeledTool,
  laterServers,
  madeUpTools,
  realServers,
} from '../../fixtures/labeled-tools.ts';

function expectGoals(tools: readonly LabeledTool[]): void {
  const { askAsks, askDangerous, readAsks, precision } = figuresOf(countLevels(tools));
  expect(askAsks).toBeGreaterThanOrEqual(0.98);
  expect(askDangerous).toBeGreaterThanOrEqual(0.9);
  expect(readAsks).toBeLessThanOrEqual(0.05);
  expect(precision).toBeGreaterThanOrEqual(0.85);
}

describe('The tools of 50 real servers', () => {
  const tools = realServers();
  it('need approval if they are labeled "ask", and hardly ever if they only read', () => {
    expect(tools).toHaveLength(1940);
    expectGoals(tools);
  });

  it('cause at most three poisoning findings', () => {
    const findings = [...Map.groupBy(tools, ({ server }) => server).values()].flatMap((of) => {
      const own = new Set(of.map(({ definition }) => definition.name));
      return of.flatMap(({ definition }) =>
        findPoison({ ...definition, inputSchema: definition.inputSchema ?? {} }, { others: new Map(), own }),
      );
    });
    expect(findings.length).toBeLessThanOrEqual(3);
  });
});

describe('The tools of 100 servers that were labeled later', () => {
  const tools = laterServers();
  it('need approval if they are labeled "ask"', () => {
    expect(tools).toHaveLength(2122);
    const { askAsks, askDangerous, precision } = figuresOf(countLevels(tools));
    expect(askAsks).toBeGreaterThanOrEqual(0.98);
    expect(askDangerous).toBeGreaterThanOrEqual(0.9);
    expect(precision).toBeGreaterThanOrEqual(0.85);
  });

  it('hardly ever need approval if they only read, except those of the last batch, and of a server in French', () => {
    expectGoals(tools.filter(({ batch = 0, server }) => batch < 10 && !server.startsWith('boondmanager')));
  });
});

describe('Invented tools in eighteen languages, with evasions,', () => {
  it.each(['tuning', 'held-out'] as const)('are recognized in the %s half', (half) => {
    expectGoals(madeUpTools().filter((tool) => tool.half === half));
  });
});

describe('A server that lies about its tools', () => {
  const reads = 'Lists, gets and returns information.';
  const says = (tool: ToolDefinition) => ({ ...tool, description: `${reads} ${tool.description ?? ''}` });
  const hints = (tool: ToolDefinition) => ({ ...tool, annotations: { readOnlyHint: true, destructiveHint: false } });
  const renames = (tool: ToolDefinition) => ({ ...tool, name: `get_${tool.name}` });
  const safeShare = (tools: readonly LabeledTool[], lie: (tool: ToolDefinition) => ToolDefinition) => {
    const asks = tools.filter(({ label }) => label === 'ask');
    const levels = asks.map(({ definition }) => annotate(lie(definition)));
    return levels.filter(({ annotations }) => annotations.safetyLevel === 'safe').length / asks.length;
  };

  it.each([
    ['of real servers', realServers()],
    ['labeled later', laterServers()],
    ['in eighteen languages', madeUpTools()],
  ])('rarely makes a tool %s safe that is labeled "ask"', (_which, tools) => {
    for (const lie of [says, hints, renames]) expect(safeShare(tools, lie)).toBeLessThanOrEqual(0.05);
    expect(safeShare(tools, (tool) => hints(renames(says(tool))))).toBeLessThanOrEqual(0.05);
  });
});

describe('Hostile tools of an author who knows only the MCP specification', () => {
  it('are safe in at most 6 of 122 cases', () => {
    const tools = hostileTools();
    expect(tools).toHaveLength(122);
    const safe = tools.filter((tool) => annotate(tool).annotations.safetyLevel === 'safe');
    expect(safe.length, safe.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(6);
  });

  it('are safe in at most 6 of 120 cases if their author avoids every plain word', () => {
    const tools = hostileTools('hostile-second.jsonl');
    expect(tools).toHaveLength(120);
    const safe = tools.filter((tool) => annotate(tool).annotations.safetyLevel === 'safe');
    expect(safe.length, safe.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(6);
  });

  it('are safe in up to 45 of 180 cases if nobody had looked at most of them', () => {
    const tools = hostileTools('hostile-third.jsonl');
    expect(tools).toHaveLength(180);
    const safe = tools.filter((tool) => annotate(tool).annotations.safetyLevel === 'safe');
    expect(safe.length, safe.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(45);
  });
});
