/** Generated registry entries: no input becomes shell text, and no secret becomes an argument. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect, optionsOf } from '../../../electron/core/registry/connect.ts';
import { parseEntry } from '../../../electron/core/registry/entry.ts';
import { resolved, secretName, word } from '../../fixtures/nasty-words.ts';
import { base, derive, npm, pkg } from '../../fixtures/registry-entries.ts';

/** For each type of package: the entry, and the arguments before those of the entry. */
const types: Record<
  string,
  { identifier: string; version?: string; command: string; start(words: string[], env: string[]): string[] }
> = {
  npm: { identifier: '@acme/notes', command: 'npx', start: () => ['-y', '@acme/notes@1.2.3'] },
  pypi: { identifier: 'notes', command: 'uvx', start: () => ['--from', 'notes==1.2.3', 'notes'] },
  go: {
    identifier: 'github.com/acme/notes',
    version: 'v1.2.3',
    command: 'go',
    start: () => ['run', 'github.com/acme/notes@v1.2.3'],
  },
  oci: {
    identifier: 'acme/notes',
    command: 'docker',
    start: (_words, env) => ['run', '-i', '--rm', ...env.flatMap((name) => ['-e', name]), 'acme/notes:1.2.3'],
  },
};

/** An argument with its inputs and the exact command-line arguments that it must become. */
const argument = fc.record({
  kind: fc.constantFrom('fixed', 'asked', 'flag', 'joined', 'template'),
  text: word,
  more: word,
});

describe('For any entry and inputs', () => {
  it.each(Object.keys(types))('the arguments of a package of type %s are exact, and contain no secret', (type) => {
    const { identifier, version = '1.2.3', command, start } = types[type] as (typeof types)[string];
    let exact = 0;
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 6 }), fc.array(word, { maxLength: 3 }), (args, secrets) => {
        const inputs: Record<string, string> = {};
        const expected: string[] = [];
        const packageArguments = args.map(({ kind, text, more }, index) => {
          const name = `a${index}`;
          // Braces in a fixed value are variables.
          const fixed = text.replaceAll(/[{}]/g, '');
          switch (kind) {
            case 'fixed':
              expected.push(fixed || 'x');
              return { type: 'positional', value: fixed || 'x' };
            case 'asked':
              inputs[name] = text;
              expected.push(text);
              return { type: 'positional', valueHint: name };
            case 'flag':
              inputs[name] = text;
              expected.push(`--${name}`, text);
              return { type: 'named', name: `--${name}` };
            case 'joined':
              inputs[name] = text;
              expected.push(`--${name}=${text}`);
              return { type: 'named', name: `--${name}=` };
            default:
              inputs[name] = text;
              inputs[`${name}b`] = more;
              expected.push(`<${text}${more}>`);
              return {
                type: 'positional',
                value: `<{${name}}{${name}b}>`,
                variables: { [name]: {}, [`${name}b`]: {} },
              };
          }
        });
        const environmentVariables = secrets.map((value, index) => {
          inputs[secretName(index)] = value;
          return { name: secretName(index), isRequired: true };
        });
        const entry = pkg(type, identifier, { version, packageArguments, environmentVariables });
        const { connection, problems } = derive(entry, inputs);
        if (problems.size > 0) return;
        if (connection?.type !== 'stdio') throw new Error('No connection.');
        const env = Object.fromEntries(secrets.map((value, index) => [secretName(index), value]));
        expect(resolved(connection, secrets)).toMatchObject({
          command,
          args: [...start(expected, Object.keys(env)), ...expected],
          env,
        });
        expect(connection.args.join('\n')).not.toContain('${secret:notes');
        exact += 1;
      }),
      { numRuns: 200 },
    );
    expect(exact).toBeGreaterThan(100);
  });

  it('planning never throws, and the result is either a connection or a problem', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.boolean(),
        fc.integer(),
        fc.constant(null),
        tie('object'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
      object: fc.dictionary(
        fc.constantFrom(
          'server',
          'name',
          'version',
          'packages',
          'remotes',
          'registryType',
          'registry_type',
          'identifier',
          'transport',
          'type',
          'url',
          'headers',
          'value',
          'variables',
          'packageArguments',
          'runtime_arguments',
          'environmentVariables',
          '_meta',
          '__proto__',
        ),
        tie('value'),
        { maxKeys: 8 },
      ),
    })).object;
    fc.assert(
      fc.property(json, json, fc.dictionary(fc.string(), fc.string()), (server, part, inputs) => {
        const entry = parseEntry({
          ...base,
          ...server,
          packages: [{ ...npm().packages[0], ...part }],
          remotes: [part],
          name: base.name,
          version: '1',
        });
        for (const option of entry ? optionsOf(entry) : []) {
          const { connection, problems, refused } = connect(option, inputs, 'notes');
          if (connection) expect([problems.size, refused]).toEqual([0, undefined]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
