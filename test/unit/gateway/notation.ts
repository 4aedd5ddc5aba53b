/** Parses the short type notation of tool details into a schema, independently of the product's code. */
import type { JsonSchema } from '../../../shared/model/tool.ts';

/** An object lists everything that an agent should fill in, unless it ends in `…`. Throws if the text is not valid notation. */
export function readType(text: string): JsonSchema | boolean {
  let at = 0;
  const rest = () => text.slice(at);
  function take(pattern: RegExp): RegExpExecArray | undefined {
    const match = new RegExp(`^(?:${pattern.source})`, 's').exec(rest());
    if (match) at += match[0].length;
    return match ?? undefined;
  }
  const number = (value: string | undefined) => (value === undefined ? {} : Number(value));

  function range(names: [string, string]): JsonSchema {
    const both = take(/(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)/);
    if (both) return { [names[0]]: number(both[1]), [names[1]]: number(both[2]) };
    const one = take(/([≥≤])(-?[\d.e+-]+)/);
    if (!one) throw new Error(`no range at ${rest()}`);
    return { [one[1] === '≥' ? names[0] : names[1]]: number(one[2]) };
  }

  function single(): JsonSchema | boolean {
    if (take(/any\b/)) return true;
    if (take(/never\b/)) return false;
    if (take(/boolean\b/)) return { type: 'boolean' };
    if (take(/null\b/)) return { const: null };
    if (take(/object\b/)) return { type: 'object' };
    const numeric = take(/integer\b|number\b/);
    if (numeric) {
      const bounds = take(/ (?=[≥≤\d-])/) ? range(['minimum', 'maximum']) : {};
      return { type: numeric[0], ...bounds };
    }
    if (take(/string\b/)) {
      const length = take(/ length /) ? range(['minLength', 'maxLength']) : {};
      const pattern = take(/ \/(\^\[a-c\]\+\$)\//);
      return { type: 'string', ...length, ...(pattern && { pattern: pattern[1] as string }) };
    }
    if (take(/\(/)) {
      const inner = union();
      if (!take(/\)/)) throw new Error(`no ) at ${rest()}`);
      return inner;
    }
    if (rest().startsWith('{"')) return json();
    if (take(/\{\}/)) return { type: 'object', additionalProperties: false };
    if (take(/\{ /)) return object();
    const literal = take(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false/);
    if (literal) return { const: JSON.parse(literal[0]) };
    throw new Error(`cannot read ${rest()}`);
  }

  /** A schema without a short form is written as JSON. */
  function json(): JsonSchema {
    for (let end = text.indexOf('}', at); end !== -1; end = text.indexOf('}', end + 1)) {
      try {
        const schema = JSON.parse(text.slice(at, end + 1)) as JsonSchema;
        at = end + 1;
        return schema;
      } catch {
        // `…` means that the list continues.
      }
    }
    throw new Error(`no end of ${rest()}`);
  }

  function object(): JsonSchema {
    const properties: Record<string, JsonSchema | boolean> = {};
    const required: string[] = [];
    for (;;) {
      if (take(/… \}/)) return { type: 'object', properties, required, additionalProperties: true };
      const [, name = '', optional] = take(/(\w+)(\?)?: /) ?? [];
      if (!optional) required.push(name);
      properties[name] = union();
      if (take(/ \}/)) return { type: 'object', properties, required, additionalProperties: false };
      if (!take(/, /)) throw new Error(`no , at ${rest()}`);
    }
  }

  function arrays(): JsonSchema | boolean {
    let type = single();
    while (take(/\[\]/)) {
      const count = take(/ items /) ? range(['minItems', 'maxItems']) : {};
      type = { type: 'array', items: type, ...count };
    }
    return type;
  }

  function union(): JsonSchema | boolean {
    const members = [arrays()];
    while (take(/\|/)) members.push(arrays());
    return members.length === 1 ? (members[0] as JsonSchema) : { anyOf: members };
  }

  const type = union();
  if (at < text.length) throw new Error(`left over: ${rest()}`);
  return type;
}
