/** The decisions of rules, checked by example and against a naive implementation. */
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../electron/core/rules/rules.ts';
import type { Rule } from '../../../shared/model/rule.ts';

const rule = (pattern: string[], more: Partial<Rule> = {}): Rule => ({ pattern, ...more });
const on = (pattern: string[], more: Partial<Rule> = {}) => rule(pattern, { enabled: true, ...more });
const off = (pattern: string[], more: Partial<Rule> = {}) => rule(pattern, { enabled: false, ...more });
const tool = (key: string) => {
  const [server = '', ...name] = key.split('/');
  return { server, name: name.join('/') };
};
const enabled = (rules: Rule[], key: string) => compileRules(rules).decide(tool(key)).enabled;

describe('A pattern', () => {
  it.each([
    ['*github*', 'x/list_github_issues', true],
    ['*github*', 'github/create', false],
    ['*:*github*', 'github/create', false],
    ['*github*:*', 'github/create', true],
    ['*GitHub*', 'x/github', true],
    ['github_*', 'x/github_create', true],
    ['github_*', 'x/my_github_create', false],
    ['*_issue', 'x/create_issue', true],
    ['*_issue', 'x/create_issues', false],
    ['create_issue', 'github/create_issue', true],
    ['github:create_*', 'github/create_issue', true],
    ['github:create_*', 'gitlab/create_issue', false],
    ['{create,update}_*', 'x/update_issue', true],
    ['{create,up{date,load}}_*', 'x/upload_file', true],
    ['{create,update}_*', 'x/delete_issue', false],
    ['file[0-9]', 'x/file7', true],
    ['file[!0-9]', 'x/file7', false],
    ['file[!0-9]', 'x/filex', true],
    ['get?', 'x/gets', true],
    ['get?', 'x/get', false],
    ['\\*', 'x/*', true],
    ['\\*', 'x/a', false],
    ['/github.*issue/i', 'x/GitHub_list_issues', true],
    ['/github.*issue/', 'x/GitHub_list_issues', false],
    ['/^fs_(read|write)$/', 'x/fs_write', true],
    ['/^fs_(read|write)$/', 'x/fs_writes', false],
    ['/\\b(create|update)\\b/', 'x/do create it', true],
    ['/\\b(create|update)\\b/', 'x/issue_create', true],
    ['/\\bcreate\\b/i', 'x/createIssue', true],
    ['/\\bcreate\\b/', 'x/recreate_issue', false],
    ['/^create_/', 'x/create_issue', true],
    ['/^git:push$/', 'git/push', true],
    ['/^(?:git|push)$/', 'git/push', true],
    ['/^[[:alpha:]]+$/', 'git/push', true],
    ['git:push', 'evil/git:push', false],
    ['/a/g', 'x/bab', true],
  ])('such as %s matches %s: %s', (pattern, key, expected) => {
    expect(enabled([off([pattern])], key)).toBe(!expected);
  });

  it.each(['..', '.', '../x', 'a/b', '.hidden', 'two\nlines', ''])(
    'with * matches the name %j, unlike a file glob',
    (name) => {
      expect(compileRules([off(['*'])]).decide({ server: 'x', name }).enabled).toBe(false);
    },
  );

  it('that is a list of negations matches everything else', () => {
    const rules = [off(['!*read*'])];
    expect(enabled(rules, 'fs/read_file')).toBe(true);
    expect(enabled(rules, 'fs/write_file')).toBe(false);
  });

  it('that is a negation takes precedence over every positive pattern of its rule', () => {
    expect(enabled([on(['*github*', '/issue/', '!*delete*'])], 'github/delete_issue')).toBe(false);
    expect(enabled([on(['*github*', '/issue/', '!/DELETE/i'])], 'x/delete_issue')).toBe(false);
    expect(enabled([on(['*github*', '/issue/', '!*delete*'])], 'x/list_issues')).toBe(true);
  });

  it('that is missing matches every tool of the server and no other', () => {
    const rules = [off([], { server: 'GitHub' })];
    expect(enabled(rules, 'github/x')).toBe(false);
    expect(enabled(rules, 'gitlab/x')).toBe(true);
  });

  it('can match a server, with a negation too, and by a name that looks like a pattern', () => {
    expect(enabled([off([], { server: 'git*' })], 'gitlab/x')).toBe(false);
    expect(enabled([off([], { server: '!git*' })], 'gitlab/x')).toBe(true);
    expect(enabled([off([], { server: '!git*' })], 'files/x')).toBe(false);
    expect(enabled([off([], { server: 'files [work]' })], 'files [work]/x')).toBe(false);
  });
});

describe('Decisions', () => {
  it('enable a tool without rules, with automatic confirmation', () => {
    expect(compileRules([]).decide(tool('a/b'))).toEqual({ enabled: true, confirm: 'auto', tags: [] });
  });

  it('take each field from the first matching rule that has it, and tags from all matching rules', () => {
    const rules = compileRules([
      rule(['*'], { tags: ['first'] }),
      rule(['*delete*'], { confirm: 'always', tags: ['danger'] }),
      off(['delete_all']),
      on(['*'], { confirm: 'never', tags: ['first', 'last'] }),
    ]);
    expect(rules.decide(tool('x/delete_all'))).toEqual({
      enabled: false,
      enabledBy: 'rule',
      decidedBy: 2,
      confirm: 'always',
      tags: ['first', 'danger', 'last'],
    });
    expect(rules.decide(tool('x/read'))).toEqual({
      enabled: true,
      enabledBy: 'rule',
      decidedBy: 3,
      confirm: 'never',
      tags: ['first', 'last'],
    });
  });

  it('are available for a single rule: the tools that it matches', () => {
    const rules = compileRules([off(['*a*']), on(['*b*'], { server: 's' })]);
    expect(rules.matches(1, tool('s/ab'))).toBe(true);
    expect(rules.matches(1, tool('t/ab'))).toBe(false);
    expect(rules.matches(7, tool('t/ab'))).toBe(false);
  });

  it('ignore an inactive rule', () => {
    const rules = compileRules([{ ...off(['*']), active: false }, rule(['*'], { tags: ['t'] })]);
    expect(rules.decide(tool('a/b'))).toEqual({ enabled: true, confirm: 'auto', tags: ['t'] });
    expect(rules.shadowedBy(1)).toBeUndefined();
  });

  it('are cached, and stay correct for more tools than the cache holds', () => {
    const rules = compileRules([off(['*7'])]);
    expect(rules.decide(tool('a/b'))).toBe(rules.decide(tool('a/b')));
    let wrong = 0;
    for (let i = 0; i < 60_000; i += 1)
      if (rules.decide({ server: 's', name: `t${i}` }).enabled !== !String(i).endsWith('7')) wrong += 1;
    expect(wrong).toBe(0);
    expect(rules.decide({ server: 's', name: 't7' }).enabled).toBe(false);
  });
});

describe('An invalid pattern', () => {
  it.each([
    ['/abc', 'no closing "/"'],
    ['/(/', 'missing closing )'],
    ['/a/x', '"x" is not a flag'],
    ['/(?=a)b/', 'lookahead'],
    ['/(a)\\1/', '\\1'],
    ['!', 'empty'],
    ['[a', '"[" is not closed'],
    ['[b-a]', 'is reversed'],
    ['{a,b', '"{" is not closed'],
    ['a\\', 'single backslash'],
    ['!(a|b)c', 'write {a,b}'],
    ['{a,b}'.repeat(20), 'more than 1000 alternatives'],
  ])('such as %s is reported with its location and reason, and its rule matches nothing', (pattern, reason) => {
    const rules = compileRules([on(['ok']), off(['*', pattern])]);
    expect(rules.problems).toHaveLength(1);
    expect(rules.problems[0]).toMatchObject({
      index: 1,
      failure: { code: 'CONFIG_INVALID', path: 'toolRules[1].pattern', message: expect.stringContaining(reason) },
    });
    expect(rules.problems[0]?.failure.message).toContain(pattern);
    expect(rules.matches(1, tool('x/y'))).toBe(false);
    expect(rules.shadowedBy(1)).toBeUndefined();
  });

  it('of more than 1,000 characters is reported, and only its start is quoted', () => {
    const { problems } = compileRules([off(['{a,b}'.repeat(4) + 'x'.repeat(1_000)])]);
    expect(problems[0]?.failure.message).toContain('has more than 1000 characters');
    expect(problems[0]?.failure.message).not.toContain('x'.repeat(200));
    expect(compileRules([off(['x'.repeat(1_000)])]).problems).toEqual([]);
  });

  it.each(['/(a+)+$/', '/(a|aa)+$/', '/^(a*)*b$/'])(
    'such as %s, which would block a backtracking engine, does not block',
    (pattern) => {
      expect(enabled([off([pattern])], `x/${'a'.repeat(50_000)}!`)).toBe(true);
    },
  );

  it('does not block either if it is a glob with many stars', () => {
    expect(enabled([off([`${'*a'.repeat(40)}*b`])], `x/${'a'.repeat(20_000)}`)).toBe(true);
  });
});

describe('Shadowed rules', () => {
  it.each<[string, Rule[], number | undefined]>([
    ['the same patterns again', [on(['*github*']), off(['*github*'])], 0],
    ['a catch-all is the default', [on(['*']), off(['*delete*', '*destroy*'])], undefined],
    ['a second catch-all', [on(['*']), off([])], 0],
    ['all tools of a server, then some', [on([], { server: 'a' }), off(['/^delete/'], { server: 'a' })], 0],
    ['all safety levels, then one', [on(['a*']), off(['a*'], { safety: 'dangerous' })], 0],
    ['one safety level, then all', [on(['a*'], { safety: 'safe' }), off(['a*'])], undefined],
    ['two categories, then one', [on([], { category: ['api', 'data'] }), off([], { category: 'api' })], 0],
    ['a plain pattern and a qualified one', [on(['a*']), off(['a:*'])], undefined],
    ['a narrower glob', [on(['*git*']), off(['github_*'])], 0],
    ['a narrower glob with classes and braces', [on(['{a,b}[0-9]*']), off(['a[0-9]x', 'b[0-9]*y'])], 0],
    ['a name inside a regular expression', [on(['/delete/i']), off(['delete_repo'])], 0],
    ['a glob around a regular expression', [on(['/delete/i']), off(['*delete*'])], 0],
    ['two earlier rules together', [on(['a*']), on(['b*']), off(['a1', 'b1'])], 0],
    ['one server of all', [on(['*x*']), off(['*x*'], { server: 'github' })], 0],
    ['one server of a pattern', [on(['*'], { server: 'git*' }), off(['*'], { server: 'github' })], 0],
    ['an exclusion on both sides', [on(['*', '!*delete*']), off(['a*', '!*delete*'])], 0],
    ['a wider exclusion inside', [on(['*', '!*delete_all*']), off(['a*', '!*delete*'])], 0],
    ['an exclusion only outside', [on(['*', '!*delete*']), off(['a*'])], undefined],
    ['another server', [on(['*'], { server: 'gitlab' }), off(['*'], { server: 'github' })], undefined],
    ['a wider glob', [on(['github_*']), off(['*git*'])], undefined],
    ['one of two patterns left', [on(['a*']), off(['a1', 'b1'])], undefined],
    ['a case-sensitive expression', [on(['/delete/']), off(['*delete*'])], undefined],
    ['an anchored expression', [on(['/^delete$/i']), off(['*delete*'])], undefined],
    ['another field', [rule(['*e*'], { confirm: 'always' }), off(['*delete*'])], undefined],
    ['a field that is left', [on(['*e*']), off(['*delete*'], { confirm: 'always' })], undefined],
    ['tags only', [on(['*e*']), rule(['*delete*'], { tags: ['x'] })], undefined],
    ['a question mark against a letter', [on(['a?c']), off(['abc'])], 0],
    ['a letter against a question mark', [on(['abc']), off(['a?c'])], undefined],
  ])('%s', (_case, rules, shadow) => {
    expect(compileRules(rules).shadowedBy(rules.length - 1)).toBe(shadow);
  });
});

const letters = fc.constantFrom('a', 'b', 'A', '_', '-', ':', '1');
const globs = fc
  .array(fc.oneof({ weight: 3, arbitrary: letters }, fc.constantFrom('*', '?', '{a,b_}', '[ab]', '[!a]', '{b,}')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const regexes = fc
  .array(fc.constantFrom('a', 'b', '.', 'a*', '(a|b)', '[ab]', '_', '\\b', '^', '$', ':'), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((parts) => fc.constantFrom('', 'i').map((flags) => `/${parts.join('')}/${flags}`));
const patterns = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: globs }, regexes), fc.nat(3))
  .map(([pattern, turn]) => (turn === 0 ? `!${pattern}` : pattern));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const ruleArbitrary = fc
  .record({
    server: optional(fc.constantFrom('a', 'b', 'a*')),
    pattern: fc.array(patterns, { maxLength: 3 }),
    enabled: optional(fc.boolean()),
    confirm: optional(fc.constantFrom('always' as const, 'never' as const)),
    tags: optional(fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 })),
  })
  .map((parts) => JSON.parse(JSON.stringify(parts)) as Rule);
const names = fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const tools = fc.record({ server: fc.constantFrom('a', 'b', 'ab', 'A'), name: names });

/** A glob as a native regular expression. */
function naiveGlob(glob: string): RegExp {
  const source = glob
    .replaceAll('{a,b_}', '(?:a|b_)')
    .replaceAll('{b,}', '(?:b|)')
    .replaceAll('[!a]', '[^a]')
    .replaceAll('?', '.')
    .replaceAll('(.:', '(?:')
    .replaceAll('*', '.*');
  return new RegExp(`^(?:${source})$`, 'is');
}

function naiveMatch(entry: string, text: string): boolean {
  const [, source = '', flags] = /^\/(.*)\/(i?)$/.exec(entry) ?? [];
  if (flags === undefined) return naiveGlob(entry).test(text);
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ');
  return [text, ...(source.includes('\\b') ? [spaced] : [])].some((one) => new RegExp(source, flags).test(one));
}

function naiveRuleMatches(candidate: Rule, { server, name }: { server: string; name: string }): boolean {
  const hit = (entry: string) => naiveMatch(entry, entry.includes(':') ? `${server}:${name}` : name);
  const positive = candidate.pattern.filter((entry) => !entry.startsWith('!'));
  const negative = candidate.pattern.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  if (candidate.server !== undefined && !naiveGlob(candidate.server).test(server)) return false;
  return !negative.some(hit) && (positive.length === 0 || positive.some(hit));
}

const isCatchAll = ({ server, pattern }: Rule) =>
  server === undefined &&
  pattern.every((entry) => !entry.startsWith('!')) &&
  (pattern.length === 0 || pattern.includes('*'));

describe('For any rules and tools', () => {
  it('decisions equal those of a naive implementation', () => {
    fc.assert(
      fc.property(
        fc.array(ruleArbitrary, { maxLength: 6 }),
        fc.array(tools, { minLength: 1, maxLength: 8 }),
        (rules, some) => {
          const set = compileRules(rules);
          expect(set.problems).toEqual([]);
          for (const one of some) {
            const matching = rules.filter((candidate) => naiveRuleMatches(candidate, one));
            const ordered = [...matching].sort((a, b) => Number(isCatchAll(a)) - Number(isCatchAll(b)));
            const decided = ordered.find((candidate) => candidate.enabled !== undefined);
            const lists = rules.filter(
              ({ enabled, server }) => enabled && (server === undefined || naiveGlob(server).test(one.server)),
            );
            expect(set.decide(one)).toEqual({
              enabled: decided ? decided.enabled : lists.length === 0,
              confirm: ordered.find((candidate) => candidate.confirm !== undefined)?.confirm ?? 'auto',
              tags: [...new Set(matching.flatMap(({ tags }) => tags ?? []))],
              ...(decided && { enabledBy: 'rule', decidedBy: rules.indexOf(decided) }),
              ...(!decided && lists[0] && { enabledBy: 'allow-list', decidedBy: rules.indexOf(lists[0]) }),
            });
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('globs agree with a file glob library unless names look like paths', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', '_', '1', '*', '?', '{a,b}', '[ab]'), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(plain, names, (parts, name) => {
        const glob = parts.join('');
        const expected = picomatch.isMatch(name.toLowerCase(), glob, { bash: true, dot: true });
        expect(compileRules([off([glob])]).decide({ server: '#', name }).enabled).toBe(!expected);
      }),
      { numRuns: 500 },
    );
  });

  it('a shadowed rule decides nothing: replacing it with a rule that matches no tool changes no decision', () => {
    let shadowed = 0;
    fc.assert(
      fc.property(
        fc.array(ruleArbitrary, { minLength: 2, maxLength: 6 }),
        fc.array(tools, { maxLength: 12 }),
        (rules, some) => {
          const set = compileRules(rules);
          for (const index of rules.keys()) {
            if (set.shadowedBy(index) === undefined) continue;
            shadowed += 1;
            const shadow = rules[index] as Rule;
            const without = compileRules(rules.with(index, { ...shadow, pattern: ['#'], tags: [] }));
            for (const one of some) {
              // It may still create the allow-list that disables the tool.
              if (set.decide(one).enabledBy === 'rule') expect(set.decide(one).decidedBy).not.toBe(index);
              expect(set.decide(one).enabled).toBe(without.decide(one).enabled);
              expect(set.decide(one).confirm).toBe(without.decide(one).confirm);
            }
          }
        },
      ),
      { numRuns: 600 },
    );
    expect(shadowed).toBeGreaterThan(50);
  });
});
