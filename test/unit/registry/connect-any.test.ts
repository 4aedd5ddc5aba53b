/** Generated registry entries: no input becomes shell text, and no secret becomes an argument. */
import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect, optionsOf } from '../../../electron/core/registry/connect.ts';
import { parseEntry } from '../../../electron/core/registry/entry.ts';
import { vaultName } from '../../../electron/core/registry/template.ts';
import { resolveConnection } from '../../../electron/core/secrets/resolve.ts';
import { base, derive, npm } from '../../fixtures/registry-entries.ts';

/** Text that a shell, a template or Gatehouse's placeholders could interpret. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '$(id)',
    '`id`',
    '; rm -rf ~',
    '&& x',
    '| y',
    '"\'',
    '${HOME}',
    '${secret:other/key}',
    '${input:x}',
    '${file:/etc/passwd}',
    '$',
    '{X}',
    '${$}',
    '%PATH%',
    '\n',
    '-c',
    '--',
    '$${X}',
  ),
);
const word = fc
  .array(nasty, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''))
  // NUL is refused, and a leading tilde means the home folder in every connection.
  .filter((text) => text !== '' && !text.includes('\0') && !text.startsWith('~'));

/** An argument with its inputs and the exact command-line arguments that it must become. */
const argument = fc.record({
  kind: fc.constantFrom('fixed', 'asked', 'flag', 'joined', 'template'),
  text: word,
  more: word,
});

describe('For any entry and inputs', () => {
  it('the arguments are exact after placeholders are resolved, and contain no secret', () => {
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
          inputs[`S${index}_TOKEN`] = value;
          return { name: `S${index}_TOKEN`, isRequired: true };
        });
        const { connection, problems } = derive(npm({ packageArguments, environmentVariables }), inputs);
        if (problems.size > 0) return;
        if (connection?.type !== 'stdio') throw new Error('No connection.');
        const stored = new Map(secrets.map((value, index) => [vaultName('notes', `S${index}_TOKEN`), value]));
        const resolved = resolveConnection(connection, {
          env: { HOME: '/wrong' },
          homeDir: homedir(),
          stored,
          server: 'notes',
        });
        expect(resolved).toMatchObject({ command: 'npx', args: ['-y', '@acme/notes@1.2.3', ...expected] });
        expect(resolved).toMatchObject({
          env: Object.fromEntries(secrets.map((value, index) => [`S${index}_TOKEN`, value])),
        });
        expect(connection.args.join('\n')).not.toContain('${secret:notes');
      }),
      { numRuns: 300 },
    );
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
