/** Random client files as text: any layout, comments wherever they may stand, trailing commas, all line endings. */
import fc from 'fast-check';

export interface Style {
  eol: string;
  comments: boolean;
  trailingCommas: boolean;
}

const key = fc
  .oneof(
    fc.constantFrom('mcpServers', 'servers', 'a', 'b', 'theme', '$schema', 'gatehous'),
    fc.string({ maxLength: 6 }),
  )
  .filter((name) => name !== '__proto__');
const leaf = fc.oneof(
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('//', '/*', '{', '"}', ',', '\\'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const entry = fc.record({
  command: fc.constantFrom('npx', 'node'),
  args: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
});

/** A document as a client has it: perhaps with a section, perhaps empty, always an object. */
export const documents = fc
  .tuple(
    fc.dictionary(
      key.filter((name) => name !== 'mcpServers'),
      value,
      { maxKeys: 4 },
    ),
    fc.option(fc.dictionary(key, entry, { maxKeys: 3 }), { nil: undefined }),
    fc.nat(4),
  )
  .map(([rest, servers, position]) => {
    const pairs = Object.entries(rest);
    if (servers) pairs.splice(Math.min(position, pairs.length), 0, ['mcpServers', servers]);
    return Object.fromEntries(pairs) as Record<string, unknown>;
  });

/** A layout is a stream of choices, consumed in every gap between two tokens. */
export const layouts = fc.record({
  gaps: fc.array(fc.nat(99), { minLength: 8, maxLength: 60 }),
  eol: fc.constantFrom('\n', '\r\n'),
  indent: fc.constantFrom('', ' ', '  ', '    ', '\t'),
  shape: fc.constantFrom('tidy', 'one line', 'wild'),
  comments: fc.boolean(),
  trailingCommas: fc.boolean(),
  finalEol: fc.boolean(),
});
export type Layout = typeof layouts extends fc.Arbitrary<infer T> ? T : never;

/** `document` written in this layout. */
export function write(document: unknown, layout: Layout): string {
  let turn = 0;
  const choose = () => {
    turn += 1;
    return layout.gaps[turn % layout.gaps.length] as number;
  };
  const comment = () => {
    if (!layout.comments) return '';
    const choice = choose();
    if (choice < 12) return ` // "note", {${choice}${layout.eol}`;
    return choice < 20 ? `/* , } ${choice < 16 ? layout.eol : ''}*/` : '';
  };
  const gap = (depth: number, breaks: boolean) => {
    if (layout.shape === 'one line') return '';
    if (layout.shape === 'tidy')
      return `${breaks ? '' : ''}${layout.comments && choose() < 10 ? ' // note' : ''}${breaks ? layout.eol + layout.indent.repeat(depth) : ''}`;
    const choice = choose();
    const blank =
      choice < 30 ? '' : choice < 50 ? ' ' : choice < 60 ? '\t  ' : layout.eol + layout.indent.repeat(depth);
    return `${comment()}${blank}${choice > 90 ? layout.eol : ''}`;
  };
  const print = (item: unknown, depth: number): string => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const list = Array.isArray(item);
    const parts = list
      ? item.map((child) => print(child, depth + 1))
      : Object.entries(item).map(
          ([name, child]) =>
            `${JSON.stringify(name)}${layout.shape === 'wild' ? gap(depth, false) : ''}:${layout.shape === 'one line' ? '' : ' '}${print(child, depth + 1)}`,
        );
    const [start, end] = list ? '[]' : '{}';
    if (parts.length === 0) return `${start}${layout.shape === 'wild' ? gap(depth, true) : ''}${end}`;
    const trailing = layout.trailingCommas ? ',' : '';
    return (
      start +
      parts
        .map(
          (part, index) =>
            gap(depth + 1, true) +
            part +
            (layout.shape === 'wild' ? gap(depth, false) : '') +
            (index < parts.length - 1 ? ',' : trailing),
        )
        .join('') +
      gap(depth, true) +
      end
    );
  };
  return print(document, 0) + (layout.finalEol ? layout.eol : '');
}
