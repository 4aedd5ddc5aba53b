/** One parser reads config files and client files, with the same messages, line numbers and limits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readDocument } from '../../../electron/core/config/document.ts';
import { parseText } from '../../../electron/core/files/document.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost | undefined;
afterEach(() => host?.dispose());

async function read(name: string, content: string | Buffer): Promise<unknown> {
  host = testHost();
  const file = join(host.dataDir, name);
  writeFileSync(file, content);
  return (await readDocument(file))?.data;
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('A config file', () => {
  test.each(['config', 'defineConfig'])('in TypeScript can call %s without an import', async (name) => {
    const rules = '{ toolRules: [{ pattern: ["*"], enabled: true }] }';
    const argument = name === 'config' ? `{ discovery: ${rules} }` : rules;
    const document = await read('config.ts', `export default ${name}(${argument})`);
    const toolRules = [{ pattern: ['*'], enabled: true }];
    expect(document).toEqual(name === 'config' ? { discovery: { toolRules } } : { toolRules });
  });

  test.each([
    ['config.json', deep(50_000), 'nested too deeply'],
    ['config.json', `{"servers": ${deep(300)}}`, 'nested too deeply'],
    ['config.yaml', deep(20_000), 'is not valid YAML'],
    ['config.json', '{"toolRules": [], "toolRules": [1]}', 'duplicate key "toolRules"'],
    ['config.yaml', 'toolRules: []\ntoolRules: [1]\n', 'duplicate key "toolRules"'],
    ['config.json', '{"a": 1\n"b": 2}', 'on line 2 a comma is missing'],
    ['config.yaml', 'a: 1\nb: [\n', 'on line 2 a closing ] is missing'],
    ['config.yaml', 'a: {b: 1\n\n\n', 'on line 1 a closing } is missing'],
    ['config.json', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'is not text in UTF-8 or UTF-16'],
    ['config.json', Buffer.alloc(5 * 1024 * 1024, ' '), 'is larger than 4 MB'],
    ['config.json', ' \n', 'is empty. To use the defaults, write {} or delete the file.'],
    ['config.yaml', '', 'is empty.'],
  ])('%s that is malformed or hostile fails with CONFIG_INVALID (%#)', async (name, content, message) => {
    await expect(read(name, content)).rejects.toMatchObject({
      failure: { code: 'CONFIG_INVALID', message: expect.stringContaining(message) },
    });
  });

  test.each([
    ['config.yaml', 'cache: { ttl: 0.50 }', { cache: { ttl: 0.5 } }],
    ['config.json', '// note\n{"a": [1, ], }', { a: [1] }],
    ['config.json', Buffer.from('\uFEFF{"a": 1}', 'utf16le'), { a: 1 }],
    ['config.yaml', '# Nothing is set.', null],
  ])('%s may have comments, trailing commas, any encoding, or only comments (%#)', async (name, content, expected) => {
    expect(await read(name, content)).toEqual(expected);
  });
});

test('A config file and a client file with the same mistake get the same message and line', async () => {
  const text = '{\n  "servers": {\n    "a": {"command": "x",, }\n  }\n}';
  const error = await read('config.json', text).catch(
    (reason: { failure: { message: string; line: number } }) => reason,
  );
  const { failure } = error as { failure: { message: string; line: number } };
  const [problem] = parseText(text, 'json', join((host as TestHost).dataDir, 'config.json')).problems;
  expect(failure).toMatchObject({ message: problem?.message, line: 3 });
});
