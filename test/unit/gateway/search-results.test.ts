import { describe, expect, it } from 'vitest';
import { packHits } from '../../../electron/core/gateway/meta-tools/search-results.ts';
import type { RankedTool } from '../../../electron/core/gateway/services.ts';

const hit = (server: string, tool: string, summary = `Does ${tool}.`): RankedTool => ({
  server,
  tool,
  summary,
  relevance: 0.9,
  tags: [],
  inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
});

describe('A search result', () => {
  it('lists the equal tools of two accounts once, and names both servers', () => {
    const text = packHits([hit('work', 'create_issue'), hit('home', 'create_issue'), hit('work', 'list_issues')]);
    expect(text.match(/\/create_issue/g)).toHaveLength(1);
    expect(text).toMatch(/^work\/create_issue 0\.90 .* \(same on home\)$/m);
    expect(text).toContain('work/list_issues');
  });

  it('keeps tools apart that differ in their description', () => {
    const text = packHits([hit('a', 'search', 'Searches mail.'), hit('b', 'search', 'Searches files.')]);
    expect(text).toContain('a/search');
    expect(text).toContain('b/search');
  });

  it('counts the servers of an equal tool if there are more than four', () => {
    const servers = Array.from({ length: 9 }, (_, at) => `s${at}`);
    expect(packHits(servers.map((server) => hit(server, 'run')))).toMatch(/\(same on s1, s2, s3, s4 and 4 more\)$/);
  });
});
