/** YAML that the user copies is read as the value that it was written from. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from '../../../shared/yaml-text.ts';

it('Any JSON value is read back unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.stringify(parse(yamlText(JSON.parse(json))))).toBe(json);
    }),
    { numRuns: 300 },
  );
});

it('A server is written with one line for each value', () => {
  const connection = { type: 'stdio', command: 'npx', args: ['-y', 'notes'], env: { 'A-B': '1' } };
  expect(yamlText({ servers: [{ name: 'notes', description: undefined, connection }] })).toBe(`servers:
  - name: "notes"
    connection:
      type: "stdio"
      command: "npx"
      args:
        - "-y"
        - "notes"
      env:
        "A-B": "1"`);
});
