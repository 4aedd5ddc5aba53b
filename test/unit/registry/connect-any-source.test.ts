/**
 * Generated bundles, remote servers and entries of Docker catalogs: inputs keep their exact values, and secrets appear
 * nowhere.
 */
import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectBundle, parseManifest } from '../../../electron/core/registry/bundle/manifest.ts';
import { fromDockerEntry } from '../../../electron/core/registry/sync/docker-entry.ts';
import { resolved, secretName, word } from '../../fixtures/nasty-words.ts';
import { derive, type Json } from '../../fixtures/registry-entries.ts';

const few = fc.array(word, { maxLength: 3 });
const item = word.filter((text) => !text.includes('\n'));
const secretsOf = (secrets: string[]) => Object.fromEntries(secrets.map((value, index) => [secretName(index), value]));
const runs = { numRuns: 200 };

describe('For any inputs', () => {
  it('the arguments of a bundle are exact, and contain no secret', () => {
    const argument = fc.record({
      kind: fc.constantFrom('fixed', 'asked', 'joined', 'list'),
      text: word,
      items: fc.array(item),
    });
    let exact = 0;
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 6 }), few, (args, secrets) => {
        const inputs: Record<string, string> = secretsOf(secrets);
        const expected: string[] = [];
        const config: Json = Object.fromEntries(
          secrets.map((_, index) => [secretName(index), { type: 'string', sensitive: true, required: true }]),
        );
        const words = args.flatMap(({ kind, text, items }, index) => {
          const name = `a${index}`;
          // A manifest may name folders, such as ${HOME}.
          const fixed = text.replaceAll('$', '') || 'x';
          const isList = kind === 'list';
          if (kind === 'fixed') expected.push(fixed);
          else if (kind === 'asked') expected.push(text);
          else if (kind === 'joined') expected.push(`<${fixed}${text}>`);
          else expected.push(...items);
          if (kind !== 'fixed') {
            inputs[name] = isList ? items.join('\n') : text;
            config[name] = { type: 'string', multiple: isList };
          }
          const variable = `\${user_config.${name}}`;
          return kind === 'fixed' ? fixed : kind === 'joined' ? `<${fixed}${variable}>` : variable;
        });
        const env = Object.fromEntries(
          secrets.map((_, index) => [secretName(index), `\${user_config.${secretName(index)}}`]),
        );
        const server = {
          type: 'node',
          entry_point: 'x.js',
          mcp_config: { command: 'node', args: ['${__dirname}/x.js', ...words], env },
        };
        const text = JSON.stringify({ name: 'notes', version: '1', server, user_config: config });
        const host = { homeDir: homedir(), platform: 'linux' as const };
        const { connection, problems } = connectBundle(parseManifest(text, 'linux'), {
          folder: '/b',
          entered: inputs,
          server: 'notes',
          host,
        });
        if (problems.size > 0) return;
        if (connection?.type !== 'stdio') throw new Error('No connection.');
        expect(resolved(connection, secrets)).toMatchObject({
          args: ['/b/x.js', ...expected],
          env: secretsOf(secrets),
        });
        expect(connection.args.join('\n')).not.toContain('${secret:notes');
        exact += 1;
      }),
      runs,
    );
    expect(exact).toBeGreaterThan(100);
  });

  it('the address and the headers of a remote server are exact, and lead to its host', () => {
    let exact = 0;
    fc.assert(
      fc.property(word, word, few, (path, header, secrets) => {
        const headers = [
          { name: 'X-Plain', value: '<{plain}>', variables: { plain: {} } },
          ...secrets.map((_, index) => ({ name: secretName(index), isRequired: true, isSecret: true })),
        ];
        const remotes = [
          { type: 'streamable-http', url: 'https://notes.example/mcp/{path}', variables: { path: {} }, headers },
        ];
        const { connection, problems, refused } = derive({ remotes }, { path, plain: header, ...secretsOf(secrets) });
        if (problems.size > 0 || refused !== undefined) return;
        if (connection?.type !== 'http') throw new Error('No connection.');
        const started = resolved(connection, secrets);
        expect(started).toMatchObject({
          url: `https://notes.example/mcp/${path}`,
          headers: { 'X-Plain': `<${header}>`, ...secretsOf(secrets) },
        });
        expect(new URL(connection.url).host).toBe('notes.example');
        for (const [index] of secrets.entries())
          expect(connection.headers[secretName(index)]).toBe(`\${secret:notes/${secretName(index)}}`);
        exact += 1;
      }),
      { numRuns: 500 },
    );
    expect(exact).toBeGreaterThan(30);
  });

  it('the arguments of an entry of a Docker catalog are exact, and contain no secret', () => {
    const settings = { name: 'x', properties: { paths: { type: 'array' }, mode: { type: 'string' } } };
    let exact = 0;
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), word, few, (paths, mode, secrets) => {
        const entry = fromDockerEntry('notes', {
          image: 'mcp/notes:1.2.3',
          config: [settings],
          volumes: ['{{x.paths|volume|into}}'],
          command: ['{{x.paths|volume-target|into}}', '--mode={{x.mode}}', '{{x.mode}}'],
          env: [{ name: 'MODE', value: '{{x.mode}}' }],
          secrets: secrets.map((_, index) => ({ name: secretName(index), env: secretName(index), required: true })),
        }) as { server: Json };
        const inputs = { paths: paths.join('\n'), mode, ...secretsOf(secrets) };
        const { connection, problems, refused } = derive(JSON.parse(JSON.stringify(entry.server)), inputs);
        if (problems.size > 0 || refused !== undefined) return;
        if (connection?.type !== 'stdio') throw new Error('No connection.');
        const env = { MODE: mode, ...secretsOf(secrets) };
        expect(resolved(connection, secrets)).toMatchObject({
          command: 'docker',
          args: [
            ...['run', '-i', '--rm', ...Object.keys(env).flatMap((name) => ['-e', name])],
            ...paths.flatMap((path) => ['-v', `${path}:${path}`]),
            ...['mcp/notes:1.2.3', ...paths, `--mode=${mode}`, mode],
          ],
          env,
        });
        expect(connection.args.join('\n')).not.toContain('${secret:notes');
        exact += 1;
      }),
      runs,
    );
    expect(exact).toBeGreaterThan(100);
  });
});
