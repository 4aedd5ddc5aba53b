/** The server that a resource belongs to; no template can block Core. */
import { describe, expect, test } from 'vitest';
import { matchesTemplate, resourceOwner } from '../../../electron/core/servers/resource-owner.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';

const notes = { server: 'notes', uris: ['note://one', 'note://two'], uriTemplates: ['note://{id}'] };

describe('resourceOwner', () => {
  test('returns the server that lists the resource', () => {
    const greedy = { server: 'greedy', uris: [], uriTemplates: ['note://{+x}', '{+x}'] };
    expect(resourceOwner([greedy, notes], 'note://two')).toEqual({ server: 'notes' });
  });

  test('ignores a template without a literal scheme', () => {
    const greedy = { server: 'greedy', uris: ['note://mine'], uriTemplates: ['{+x}', '{scheme}://{+x}'] };
    expect(resourceOwner([greedy, notes], 'note://three')).toEqual({ server: 'notes' });
    expect(resourceOwner([greedy], 'file:///etc/passwd')).toBeUndefined();
    expect(resourceOwner([greedy], 'note://mine')).toEqual({ server: 'greedy' });
  });

  test('ignores templates of a scheme and one wildcard, but not the scheme', () => {
    const wild = ['a', 'b'].map((server) => ({ server, uris: [], uriTemplates: ['skill://{+path}'] }));
    expect(resourceOwner(wild, 'skill://x/SKILL.md')).toBeUndefined();
    expect(resourceOwner(wild.slice(1), 'skill://x/SKILL.md')).toEqual({ server: 'b' });
    const exact = { server: 'c', uris: [], uriTemplates: ['skill://x/{file}'] };
    expect(resourceOwner([...wild, exact], 'skill://x/SKILL.md')).toEqual({ server: 'c' });
  });

  test('prefers the template with the longest literal prefix, whatever the order of the servers', () => {
    const all = { server: 'all', uris: [], uriTemplates: ['repo://{name}/{+path}'] };
    const issues = { server: 'issues', uris: [], uriTemplates: ['repo://issues/{id}'] };
    expect(resourceOwner([all, issues], 'repo://issues/7')).toEqual({ server: 'issues' });
    expect(resourceOwner([issues, all], 'repo://readme/7')).toEqual({ server: 'all' });
  });

  test('reports a resource that two servers list in the same way as ambiguous', () => {
    const copy = { ...notes, server: 'copy' };
    expect(resourceOwner([copy, notes], 'note://two')).toEqual({ ambiguous: ['copy', 'notes'] });
    expect(resourceOwner([copy, notes], 'note://three')).toEqual({ ambiguous: ['copy', 'notes'] });
  });

  test('finds the owner beside a server with any number of templates that almost match', () => {
    const uri = `note://${'a/'.repeat(2_000)}`;
    const uriTemplates = Array.from({ length: 300_000 }, (_, at) => `note://{v${at}}a/{w}`);
    const owner = { server: 'owner', uris: [], uriTemplates: ['note://a/{+path}'] };
    expect(resourceOwner([{ server: 'flood', uris: [], uriTemplates }, owner], uri)).toEqual({ server: 'owner' });
  });

  test('returns the only server that uses the scheme of an unlisted resource', () => {
    const docs = { server: 'docs', uris: ['doc://a'], uriTemplates: [] };
    expect(resourceOwner([docs, notes], 'doc://unlisted/x')).toEqual({ server: 'docs' });
    expect(resourceOwner([docs, { ...docs, server: 'more' }], 'doc://unlisted/x')).toBeUndefined();
    expect(resourceOwner([docs, notes], 'no scheme')).toBeUndefined();
  });
});

describe('matchesTemplate', () => {
  test.each([
    ['x://{id}', 'x://7', true],
    ['x://{id}', 'x://7/8', false],
    ['x://{+path}', 'x://a/b/c', true],
    ['x://a{/segments*}', 'x://a/b/c', true],
    ['x://a{?q,limit}', 'x://a?q=1&limit=2', true],
    ['x://a{?q,limit}', 'x://a', true],
    ['x://a{#part}', 'x://a#top', true],
    ['x://{id}.{format}', 'x://7.json', true],
    ['x://{id', 'x://{id', false],
    ['x://fixed.[a]', 'x://fixed.[a]', true],
    ['x://fixed.[a]', 'x://fixedxa', false],
  ])('returns the expected result for %s and %s: %s', (template, uri, expected) => {
    expect(matchesTemplate(template, uri)).toBe(expected);
  });

  test.each([
    `x://${Array.from({ length: 12 }, (_, index) => `{+v${index}}`).join('')}!`,
    `x://${Array.from({ length: 20 }, (_, index) => `{v${index}}`).join('')}!`,
    `x://a${Array.from({ length: 12 }, (_, index) => `{/v${index}*}`).join('')}!`,
  ])('takes at most 50 ms for %s', (template) => {
    const uri = `x://a${'/a'.repeat(1_500)}`;
    matchesTemplate(template, uri);
    const startedAt = cpuMs();
    expect(matchesTemplate(template, uri)).toBe(false);
    expect(cpuMs() - startedAt).toBeLessThan(50);
  });

  test('rejects a URI or a template that is too long', () => {
    expect(matchesTemplate('x://{+a}', `x://${'a'.repeat(5_000)}`)).toBe(false);
    expect(matchesTemplate(`x://{+a}${'b'.repeat(1_000)}`, `x://a${'b'.repeat(1_000)}`)).toBe(false);
    expect(matchesTemplate(`x://${'{a}-'.repeat(21)}`, `x://${'1-'.repeat(21)}`)).toBe(false);
  });
});
