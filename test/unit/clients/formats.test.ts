/** Text edits: only Toolkeep's entry is inserted, and removing it restores the bytes. */
import fc from 'fast-check';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import type { EntryPlace } from '../../../electron/core/clients/install/entry-path.ts';
import { meaning, putEntry, removeEntry } from '../../../electron/core/clients/install/formats.ts';
import { documents, layouts, write } from '../../fixtures/documents.ts';

const json: EntryPlace = { section: 'mcpServers', name: 'toolkeep', format: 'json', file: 'f' };
const ours = { command: '/opt/Gate house/bin', args: ['connect', '--client', 'x'] };
const runs = Number(process.env.TOOLKEEP_CASES) || 400;
const clone = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('A JSON document', () => {
  test("always differs only in Toolkeep's entry, and removing the entry restores the bytes", () => {
    fc.assert(
      fc.property(documents, layouts, fc.nat(4), (document, layout, index) => {
        const text = write(document, layout);
        const before = clone(meaning(text, json)) as Record<string, unknown>;
        const put = putEntry(text, json, ours, index);
        const after = clone(meaning(put.text, json));
        expect(after).toEqual({ ...before, mcpServers: { ...(before.mcpServers as object), toolkeep: ours } });
        expect(removeEntry(put.text, json, put.inserted)).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  test('keeps all other content after a removal without a record, and a non-empty section byte for byte', () => {
    fc.assert(
      fc.property(documents, layouts, fc.nat(4), (document, layout, index) => {
        const text = write(document, layout);
        const put = putEntry(text, json, ours, index);
        const out = removeEntry(put.text, json);
        const before = clone(meaning(text, json)) as Record<string, unknown>;
        expect(clone(meaning(out, json))).toEqual({ ...before, mcpServers: before.mcpServers ?? {} });
        if (Object.keys((before.mcpServers as object) ?? {}).length > 0) expect(out).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  test("is refused if it is damaged, or the result parses to the previous content with Toolkeep's entry", () => {
    fc.assert(
      fc.property(
        documents,
        layouts,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '{', '}', '"', ',', ':', '[', '\\', 'x', '/*'),
        (document, layout, at, cut, junk) => {
          const whole = write(document, layout);
          const from = at % (whole.length + 1);
          const text = whole.slice(0, from) + junk + whole.slice(from + cut);
          try {
            const { text: result } = putEntry(text, json, ours);
            const before = clone(meaning(text, json)) as Record<string, unknown>;
            expect(clone(meaning(result, json))).toEqual({
              ...before,
              mcpServers: { ...(before.mcpServers as object), toolkeep: ours },
            });
          } catch (error) {
            expect(error).toMatchObject({ failure: { code: 'CLIENT_FILE_INVALID' } });
          }
        },
      ),
      { numRuns: runs },
    );
  });

  test('has an older entry replaced in place', () => {
    fc.assert(
      fc.property(documents, layouts, (document, layout) => {
        const put = putEntry(write(document, layout), json, { command: 'old', args: [] });
        const again = putEntry(put.text, json, ours);
        expect(clone(meaning(again.text, json))).toMatchObject({ mcpServers: { toolkeep: ours } });
        expect(again.text.length).toBeGreaterThan(put.text.length);
      }),
      { numRuns: runs / 4 },
    );
  });

  test.each([
    [
      'a tidy section',
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
      '{\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    },\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
    [
      'tabs and CRLF',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"toolkeep": {\r\n\t\t\t"command": "g"\r\n\t\t},\r\n\t\t"a": {}\r\n\t}\r\n}',
    ],
    [
      'an empty section',
      '{\n    "mcpServers": {}\n}',
      '{\n    "mcpServers": {\n        "toolkeep": {\n            "command": "g"\n        }\n    }\n}',
    ],
    [
      'no section',
      '{\n  "theme": "dark" // nice\n}',
      '{\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    }\n  },\n  "theme": "dark" // nice\n}',
    ],
    ['one line', '{"mcpServers":{"a":{}}}', '{"mcpServers":{"toolkeep": {"command":"g"},"a":{}}}'],
    [
      'a comment behind the brace',
      '{\n  "mcpServers": { // mine\n    "a": {}\n  }\n}',
      '{\n  "mcpServers": { // mine\n    "toolkeep": {\n      "command": "g"\n    },\n    "a": {}\n  }\n}',
    ],
    [
      '$schema first',
      '{\n  "$schema": "s", // why\n  "x": 1\n}',
      '{\n  "$schema": "s", // why\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    }\n  },\n  "x": 1\n}',
    ],
    ['nothing at all', '', '{\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    }\n  }\n}\n'],
    [
      'only a comment',
      '// mine',
      '// mine\n{\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    }\n  }\n}\n',
    ],
    [
      'null',
      '{\n  "mcpServers": null\n}',
      '{\n  "mcpServers": {\n    "toolkeep": {\n      "command": "g"\n    }\n  }\n}',
    ],
  ])('in the form of %s receives the entry in its own style', (_, text, expected) => {
    expect(putEntry(text, json, { command: 'g' }).text).toBe(expected);
  });

  test.each([
    ['{"mcpServers": {}, "mcpServers": {}}', 'duplicate key'],
    ['{"a": 1, "a": 2}', 'duplicate key'],
    ['{"mcpServers": {"x": {}, "x": {}}}', 'duplicate key'],
    ['[]', 'object'],
    ['"x"', 'object'],
    ['{"mcpServers": []}', 'object'],
    ['{"mcpServers": "x"}', 'object'],
    ['{"mcpServers": {', 'JSON'],
    ['{} {}', 'JSON'],
  ])('such as %s is refused with the reason', (text, reason) => {
    expect(() => putEntry(text, { ...json, file: '/the/file.json' }, ours)).toThrowError(
      new RegExp(`/the/file.json.*${reason}`),
    );
  });

  test('keeps comments next to a removed entry', () => {
    const text =
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    // about us\n    "toolkeep": {} /* inside */, // behind us\n    "b": {}\n  }\n}';
    const out = removeEntry(text, json);
    for (const comment of ['// about a', '// about us', '/* inside */', '// behind us']) expect(out).toContain(comment);
    expect(out.split('\n').find((line) => line.includes('"a"'))).toBe('    "a": {}, // about a');
  });
});

describe('A TOML document', () => {
  const toml: EntryPlace = { section: 'mcp_servers', name: 'toolkeep', format: 'toml', file: 'f' };
  const text = fc
    .tuple(
      fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,6}$/),
        fc.oneof(
          fc.string({ maxLength: 6 }),
          fc.integer(),
          fc.boolean(),
          fc.array(fc.string({ maxLength: 4 }), { maxLength: 2 }),
        ),
        { maxKeys: 3 },
      ),
      fc.dictionary(
        fc.string({ minLength: 1, maxLength: 6 }).filter((name) => !['__proto__', 'toolkeep'].includes(name)),
        fc.record({
          command: fc.string({ maxLength: 5 }),
          env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,4}$/), fc.string({ maxLength: 5 }), { maxKeys: 2 }),
        }),
        { maxKeys: 3 },
      ),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '# the end', '# the end\n', '\n\n', '# [mcp_servers.x]\n'),
    )
    .map(([rest, servers, eol, tail]) =>
      (stringifyToml({ ...rest, mcp_servers: servers }) + tail).replaceAll('\n', eol),
    );

  test("always differs only in Toolkeep's table, and removing the table restores the bytes", () => {
    fc.assert(
      fc.property(text, (before) => {
        const put = putEntry(before, toml, ours);
        const meant = parseToml(before) as Record<string, object>;
        expect(parseToml(put.text)).toEqual({ ...meant, mcp_servers: { ...meant.mcp_servers, toolkeep: ours } });
        expect(put.text.startsWith(before)).toBe(true);
        expect(removeEntry(put.text, toml, put.inserted)).toBe(before);
        expect(parseToml(removeEntry(put.text, toml))).toEqual({ mcp_servers: {}, ...meant });
      }),
      { numRuns: runs },
    );
  });

  test('has the table replaced and removed with its nested tables, and keeps comments of the next table', () => {
    const before =
      '[mcp_servers.toolkeep]\ncommand = "old"\n[mcp_servers.toolkeep.env]\nA = "1"\n\n# about b\n[mcp_servers.b]\ncommand = "b"\n';
    const again = putEntry(before, toml, ours).text;
    expect(parseToml(again)).toEqual({ mcp_servers: { toolkeep: ours, b: { command: 'b' } } });
    expect(again).toContain('\n\n# about b\n[mcp_servers.b]');
    expect(removeEntry(before, toml)).toBe('\n# about b\n[mcp_servers.b]\ncommand = "b"\n');
  });

  test.each([
    'mcp_servers = { a = { command = "x" } }',
    'a = [',
    'a = 1\na = 2',
    '[mcp_servers]\ntoolkeep = { command = "x" }',
  ])('such as %j is refused', (before) => {
    expect(() => putEntry(before, toml, ours)).toThrowError(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'CLIENT_FILE_INVALID' }) }),
    );
  });
});

describe('A YAML document', () => {
  const map: EntryPlace = { section: 'extensions', name: 'toolkeep', format: 'yaml', file: 'f' };
  const list: EntryPlace = { ...map, section: 'mcpServers', list: true };
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  const scalar = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom('1.10', '# x', '- y', ': z', 'multi\nline\ntext\n'),
  );
  const layout = fc.record({
    eol: fc.constantFrom('\n', '\r\n'),
    indent: fc.integer({ min: 1, max: 4 }),
    indentSeq: fc.boolean(),
    head: fc.constantFrom('', '# top\n', '---\n', '\n'),
    tail: fc.constantFrom('', '# end\n', '\n'),
  });
  const rest = fc.dictionary(
    word.filter((name) => !['y', 'n'].includes(name)),
    scalar,
    { maxKeys: 3 },
  );
  const print = (
    value: unknown,
    {
      eol,
      indent,
      indentSeq,
      head,
      tail,
    }: { eol: string; indent: number; indentSeq: boolean; head: string; tail: string },
  ) => (head + stringifyYaml(value, { indent, indentSeq }) + tail).replaceAll('\n', eol);

  test("always differs only in Toolkeep's entry in the map or list, and removing the entry restores the bytes", () => {
    fc.assert(
      fc.property(
        rest,
        fc.array(fc.tuple(word, rest), { maxLength: 3 }),
        layout,
        fc.boolean(),
        fc.boolean(),
        (before, entries, style, asList, last) => {
          const place = asList ? list : map;
          const section = asList ? entries.map(([name, more]) => ({ name, ...more })) : Object.fromEntries(entries);
          const document = last ? { ...before, [place.section]: section } : { [place.section]: section, ...before };
          const text = print(document, style);
          const put = putEntry(text, place, ours);
          const meant = parseYaml(text) as Record<string, unknown>;
          const expected = asList
            ? [{ name: 'toolkeep', ...ours }, ...(meant[place.section] as unknown[])]
            : { ...(meant[place.section] as object), toolkeep: ours };
          expect(parseYaml(put.text)).toEqual({ ...meant, [place.section]: expected });
          const out = removeEntry(put.text, place, put.inserted);
          if (entries.length > 0) expect(out).toBe(text);
          else expect(parseYaml(out)).toEqual(meant);
        },
      ),
      { numRuns: runs },
    );
  });

  test('keeps comments, quotes, `1.10` and unusual indentation around the entry', () => {
    const text =
      "# mine\nversion: 1.10 # a version\nextensions:\n    # about dev\n    dev:\n          cmd:   'x'   # odd\n    # the last\n\nafter: [1,   2]\n";
    const put = putEntry(text, map, { cmd: 'g' });
    expect(put.text).toContain(
      "    # about dev\n    toolkeep:\n      cmd: g\n    dev:\n          cmd:   'x'   # odd\n",
    );
    expect(removeEntry(put.text, map)).toBe(text);
  });

  test.each([
    'extensions:\n',
    'extensions: {}\n',
    'extensions: # none yet\nother: 1\n',
    'extensions: {} # none\n',
    'other: 1',
    '',
    '# only a comment\n',
    'other: |\n  text\n',
  ])('such as %j receives a section', (text) => {
    const put = putEntry(text, map, { cmd: 'g' });
    expect(parseYaml(put.text)).toMatchObject({ extensions: { toolkeep: { cmd: 'g' } } });
    for (const comment of text.match(/#.*/g) ?? []) expect(put.text).toContain(comment);
    expect(parseYaml(removeEntry(put.text, map))).toEqual({
      ...(parseYaml(text) as object),
      extensions: {},
    });
  });

  test.each([
    'a: 1\na: 2\n',
    '- x\n',
    'extensions: [a]\n',
    'extensions: {a: {}}\n',
    'extensions: *x\n',
    'a: {\n',
    'a: 1\n---\nb: 2\n',
    '{"extensions": {}}',
    'x: &x {}\nextensions: *x\n',
    'a:\n\t- b\n',
  ])('such as %j is refused', (text) => {
    expect(() => putEntry(text, map, ours)).toThrowError(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'CLIENT_FILE_INVALID' }) }),
    );
  });
});
