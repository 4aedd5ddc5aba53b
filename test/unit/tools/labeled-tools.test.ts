/** The safety levels of labeled tools: of real servers, and invented ones in other languages. */
import { describe, expect, it } from 'vitest';
import { findPoison } from '../../../electron/core/tools/assessment/poisoning.ts';
import {
  countLevels,
  figuresOf,
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

  it('hardly ever need approval if they only read, except those of the last batch', () => {
    expectGoals(tools.filter(({ batch = 0 }) => batch < 10));
  });
});

describe('Invented tools in eighteen languages, with evasions,', () => {
  it.each(['tuning', 'held-out'] as const)('are recognized in the %s half', (half) => {
    expectGoals(madeUpTools().filter((tool) => tool.half === half));
  });
});
