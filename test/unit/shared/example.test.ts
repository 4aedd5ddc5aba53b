import { expect, it } from 'vitest';
import { exampleOf } from '../../../shared/example.ts';
import { realServers } from '../../fixtures/labeled-tools.ts';

const exampleFor = (name: string, schema: object) =>
  exampleOf({ type: 'object', properties: { [name]: { type: 'string', ...schema } }, required: [name] })[name];

it.each([
  ['mode', { examples: ['fast'], default: 'slow' }, 'fast'],
  ['mode', { default: 'slow' }, 'slow'],
  ['mode', { enum: ['fast', 'slow'] }, 'fast'],
  ['when', { format: 'date' }, '2026-01-31'],
  ['x', { description: 'Repository name (owner/repo)' }, 'owner/repo'],
  ['region', { description: 'Where it runs, e.g. "eu-west-1" or "us-east-1".' }, 'eu-west-1'],
  ['model', { description: 'Name of the model, for example gpt-4.1, as listed.' }, 'gpt-4.1'],
  ['from', { description: 'First day (YYYY-MM-DD)' }, '2026-01-31'],
  ['mailFolderId', {}, '42'],
  ['filePath', {}, '/home/user/notes.md'],
  ['issue_title', { description: 'Issue title' }, 'Crash on startup'],
  ['title', { maxLength: 5 }, 'Crash'],
  ['accessToken', {}, 'YOUR_SECRET'],
  ['shoeSize', {}, 'example shoe size'],
])('The example of "%s" with %j is %j', (name, schema, expected) => {
  expect(exampleFor(name, schema)).toBe(expected);
});

it('No example of a real tool has a placeholder of dots or brackets that is not in its definition', () => {
  for (const { definition } of realServers()) {
    const { inputSchema = {} } = definition;
    const written = JSON.stringify(inputSchema);
    for (const text of JSON.stringify(exampleOf(inputSchema)).match(/"(?:…|\.\.\.|<\w+>)"/g) ?? [])
      expect(written, definition.name).toContain(text.slice(1, -1));
  }
});
