import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownName, slugOf, uniqueSlugs, withHash } from '../../electron/core/discovery/discovery.ts';

const key = (server: string, name: string) => `${server}::${name}`;

describe('names of tools', () => {
  it('are the slug and the tool, as they are where that is possible (B12, E4)', () => {
    expect(shownName('github', 'create_issue', 'github::create_issue')).toBe('github-create_issue');
  });

  it('are always short, of plain characters, and the same every time (E4)', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }), (server, name) => {
        const shown = shownName(slugOf(server), name, key(server, name));
        expect(shown).toMatch(/^[A-Za-z0-9_-]{1,60}$/);
        expect(shownName(slugOf(server), name, key(server, name))).toBe(shown);
      }),
    );
  });

  it('differ for tools that differ only in what cannot be shown (B12)', () => {
    const long = 'a'.repeat(80);
    const names = ['read.file', 'read file', 'read/file', 'read_file', `${long}1`, `${long}2`, '读', '写'];
    const shown = names.map((name) => shownName('s', name, key('s', name)));
    expect(new Set(shown).size).toBe(names.length);
    expect(shown).toContain('s-read_file');
  });

  it('have another form for the case that two servers meet in one name', () => {
    expect(shownName('a-b', 'c', 'a-b::c')).toBe(shownName('a', 'b-c', 'a::b-c'));
    const [one, other] = [withHash('a-b-c', 'a-b::c'), withHash('a-b-c', 'a::b-c')];
    expect(one).not.toBe(other);
    expect(withHash('x'.repeat(60), 'k')).toHaveLength(60);
  });
});

describe('slugs of servers', () => {
  it.each([
    ['GitHub', 'github'],
    ['planning_server', 'planning_server'],
    ['My Server (work)', 'my-server-work'],
    ['Ünïcode', 'unicode'],
    ['@scope/pkg', 'scope-pkg'],
  ])('of "%s" is "%s" (E4)', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('exist for names without a single plain letter, and for very long ones', () => {
    expect(slugOf('天气')).toMatch(/^server-[a-z0-9]{6}$/);
    expect(slugOf('天气')).not.toBe(slugOf('地图'));
    expect(slugOf('x'.repeat(100)).length).toBeLessThanOrEqual(28);
    expect(slugOf(`${'x'.repeat(100)}1`)).not.toBe(slugOf(`${'x'.repeat(100)}2`));
  });

  it('are unique, and nobody loses one to a server that is added after them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 20 }), (names) => {
        const slugs = uniqueSlugs(names);
        expect(new Set(slugs.values()).size).toBe(names.length);
      }),
    );
    const before = uniqueSlugs(['My Server', 'other']);
    const after = uniqueSlugs(['My Server', 'other', 'my server', 'MY-SERVER']);
    expect(after.get('My Server')).toBe(before.get('My Server'));
  });

  it('go to the server that is called exactly so', () => {
    expect(uniqueSlugs(['My Server', 'my-server']).get('my-server')).toBe('my-server');
  });
});
