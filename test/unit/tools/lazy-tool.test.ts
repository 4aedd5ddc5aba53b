/** A tool of the catalog, whose definition is parsed on demand. */
import { describe, expect, it, vi } from 'vitest';
import { toLazyTool } from '../../../electron/core/tools/catalog/lazy-tool.ts';
import type { Tool } from '../../../shared/model/tool.ts';

const tool = (more: Partial<Tool['definition']> = {}): Tool => ({
  key: 'a::b',
  server: 'a',
  name: 'b',
  shownName: 'a-b',
  definition: { name: 'b', inputSchema: { type: 'object' }, ...more },
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
    requiresConfirmation: false,
    safetyLevel: 'moderate',
    reasons: [],
  },
  category: 'general',
  complexity: 'simple',
  requiresAuth: false,
  isDeprecated: false,
  fingerprint: 'f',
  findings: [],
  metadata: {},
});

describe('A tool of the catalog', () => {
  it('has the title and the first sentence, for which it parses its definition once', () => {
    const lazy = toLazyTool(tool({ title: 'Be', description: `First sentence. ${'Second sentence. '.repeat(500)}` }));
    // Simulates thousands of other tools, whose definitions replace this one in the cache.
    const others = Array.from({ length: 600 }, (_, index) => toLazyTool(tool({ description: String(index) })));
    expect(lazy.head).toEqual({ title: 'Be', summary: 'First sentence.' });
    for (const other of others) expect(other.head.title).toBe('b');
    const parse = vi.spyOn(JSON, 'parse');
    expect(lazy.head).toEqual({ title: 'Be', summary: 'First sentence.' });
    expect(parse).not.toHaveBeenCalled();
    expect(lazy.definition.title).toBe('Be');
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('is stored without its head', () => {
    const lazy = toLazyTool(tool({ title: 'Be' }));
    expect(lazy.head.title).toBe('Be');
    expect(Object.keys(lazy.record())).not.toContain('head');
    expect(lazy.equals(toLazyTool(tool({ title: 'Be' })))).toBe(true);
  });
});
