/** Names that clients see: short, plain, unique and stable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownName, slugOf, uniqueSlugs, withHash } from '../../../electron/core/tools/names.ts';

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

  it('belongs to the server with exactly this name', () => {
    expect(uniqueSlugs(['My Server', 'my-server']).get('my-server')).toBe('my-server');
  });
});
