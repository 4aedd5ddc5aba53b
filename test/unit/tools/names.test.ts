/** Names that clients see: short, plain, unique and stable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeSlug, shownName, slugOf, withHash } from '../../../electron/core/tools/names.ts';

const key = (server: string, name: string) => `${server}::${name}`;

describe('The shown name of a tool', () => {
  it('is the slug and the tool name if possible', () => {
    expect(shownName('github', 'create_issue', 'github::create_issue')).toBe('github-create_issue');
  });

  it('is always short, ASCII and stable', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }), (server, name) => {
        const shown = shownName(slugOf(server), name, key(server, name));
        expect(shown).toMatch(/^[A-Za-z0-9_-]{1,48}$/);
        expect(shownName(slugOf(server), name, key(server, name))).toBe(shown);
      }),
    );
  });

  it('differs for tools that differ only in characters that cannot be part of it', () => {
    const long = 'a'.repeat(80);
    const names = ['read.file', 'read file', 'read/file', 'read_file', `${long}1`, `${long}2`, '读', '写'];
    const shown = names.map((name) => shownName('s', name, key('s', name)));
    expect(new Set(shown).size).toBe(names.length);
    expect(shown).toContain('s-read_file');
  });

  it('has another form for two servers whose names collide', () => {
    expect(shownName('a-b', 'c', 'a-b::c')).toBe(shownName('a', 'b-c', 'a::b-c'));
    const [one, other] = [withHash('a-b-c', 'a-b::c'), withHash('a-b-c', 'a::b-c')];
    expect(one).not.toBe(other);
    expect(withHash('x'.repeat(60), 'k')).toHaveLength(48);
  });
});

describe('The slug of a server', () => {
  it.each([
    ['GitHub', 'github'],
    ['planning_server', 'planning_server'],
    ['My Server (work)', 'my-server-work'],
    ['Ünïcode', 'unicode'],
    ['@scope/pkg', 'scope-pkg'],
  ])('"%s" is "%s"', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('exists for names without ASCII characters and for very long names', () => {
    expect(slugOf('天气')).toMatch(/^server-[a-z0-9]{6}$/);
    expect(slugOf('天气')).not.toBe(slugOf('地图'));
    expect(slugOf('x'.repeat(100)).length).toBeLessThanOrEqual(24);
    expect(slugOf(`${'x'.repeat(100)}1`)).not.toBe(slugOf(`${'x'.repeat(100)}2`));
  });

  it('is unique, and a server that is added later never takes it', () => {
    const server = fc.record({
      name: fc.string({ minLength: 1, maxLength: 12 }),
      slug: fc.option(fc.constantFrom('files', 'git', 'my-server'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(server, { maxLength: 20 }), (servers) => {
        const taken = new Set<string>();
        const slugs = servers.map(({ name, slug }) => freeSlug({ name, ...(slug && { slug }) }, taken));
        expect(new Set(slugs).size).toBe(servers.length);
      }),
    );
    const taken = new Set<string>();
    expect(['My Server', 'my server'].map((name) => freeSlug({ name }, taken))).toEqual(['my-server', 'my-server-2']);
  });

  it.each([
    [{ name: 'Library docs', slug: 'context7' }, 'context7'],
    [{ name: 'filesystem-john-abc123' }, 'filesystem'],
    [{ name: 'brave-search-acme-9f3e21' }, 'brave-search'],
    [{ name: 'google-workspace-acme-a1b2c3' }, 'google-workspace'],
    [{ name: 'filesystem-with-a-very-long-name-john-abc123' }, slugOf('filesystem-with-a-very-long-name')],
    [{ name: 'claude-haiku-2024q1' }, 'claude-haiku-2024q1'],
    [{ name: 'report-spring-2024b1' }, 'report-spring-2024b1'],
    [{ name: 'files-hash-sha256' }, 'files-hash-sha256'],
    [{ name: 'google-drive-oauth2' }, 'google-drive-oauth2'],
    [{ name: 'db-eu-prod01' }, 'db-eu-prod01'],
    [{ name: 'files-abc123' }, 'files-abc123'],
    [{ name: 'report-2026-202612' }, 'report-2026-202612'],
  ])('of %j is "%s"', (server, slug) => {
    expect(freeSlug(server, new Set())).toBe(slug);
  });

  it('is that of the whole name if the short one is taken', () => {
    const taken = new Set(['filesystem', 'context7']);
    expect(freeSlug({ name: 'filesystem-anna-def456' }, taken)).toBe('filesystem-anna-def456');
    expect(freeSlug({ name: 'Docs', slug: 'context7' }, taken)).toBe('docs');
  });
});
