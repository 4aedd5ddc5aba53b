/** Converting registry entries of every format and type to connections: exact commands, secrets in the vault, refusals. */
import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect, type Option, optionsOf } from '../../../electron/core/registry/connect.ts';
import { parseEntry } from '../../../electron/core/registry/entry.ts';
import { withoutSecrets } from '../../../electron/core/registry/plan.ts';
import { vaultName } from '../../../electron/core/registry/template.ts';
import { resolveConnection } from '../../../electron/core/secrets/resolve.ts';

const base = { name: 'io.github.acme/notes', description: 'Takes notes.', version: '1.2.3' };
type Json = Record<string, unknown>;

function entryOf(server: Json) {
  const entry = parseEntry({ server: { ...base, ...server } });
  if (!entry) throw new Error('Not an entry.');
  return entry;
}

/** Connects the first option of an entry; `server` adds fields to `base`. */
function derive(server: Json, inputs: Record<string, string> = {}) {
  const [option] = optionsOf(entryOf(server));
  if (!option) throw new Error('The entry has no options.');
  return connect(option, inputs, 'notes');
}
const npm = (more: Json = {}) => ({
  packages: [
    { registryType: 'npm', identifier: '@acme/notes', version: '1.2.3', transport: { type: 'stdio' }, ...more },
  ],
});
const pkg = (registryType: string, identifier: string, more: Json = {}) => ({
  packages: [{ registryType, identifier, version: '1.2.3', transport: { type: 'stdio' }, ...more }],
});

describe('A package', () => {
  it.each([
    ['npm', npm(), ['npx', '-y', '@acme/notes@1.2.3']],
    ['pypi', pkg('pypi', 'acme-notes'), ['uvx', '--from', 'acme-notes==1.2.3', 'acme-notes']],
    ['pypi with extras', pkg('pypi', 'notes[cli]'), ['uvx', '--from', 'notes[cli]==1.2.3', 'notes']],
    ['nuget', pkg('nuget', 'Acme.Notes'), ['dnx', 'Acme.Notes@1.2.3', '--yes']],
    ['go', pkg('go', 'github.com/acme/notes', { version: 'v1.2.3' }), ['go', 'run', 'github.com/acme/notes@v1.2.3']],
    ['oci', pkg('oci', 'ghcr.io/acme/notes:1.2.3'), ['docker', 'run', '-i', '--rm', 'ghcr.io/acme/notes:1.2.3']],
    [
      'oci of an older entry',
      { packages: [{ registry_name: 'docker', name: 'acme/notes', version: '1.2.3' }] },
      ['docker', 'run', '-i', '--rm', 'acme/notes:1.2.3'],
    ],
    [
      'npm of an older entry',
      {
        packages: [
          {
            registry_name: 'npm',
            name: 'notes',
            version: '1.2.3',
            package_arguments: [{ type: 'positional', value: 'x', value_hint: 'y' }],
          },
        ],
      },
      ['npx', '-y', 'notes@1.2.3', 'x'],
    ],
    [
      'npm that names itself in its runtime arguments',
      npm({
        runtimeArguments: [
          { type: 'positional', value: '-y' },
          { type: 'positional', value: '@acme/notes@latest' },
        ],
      }),
      ['npx', '-y', '@acme/notes@1.2.3'],
    ],
    [
      'pypi that names itself in its runtime arguments',
      pkg('pypi', 'acme-notes', {
        runtimeArguments: [
          { type: 'named', name: '--from', value: 'acme-notes==9' },
          { type: 'positional', value: 'acme_notes' },
          { type: 'named', name: '--python', value: '3.12' },
        ],
      }),
      ['uvx', '--python', '3.12', '--from', 'acme-notes==1.2.3', 'acme-notes'],
    ],
    [
      'nuget with arguments',
      pkg('nuget', 'Acme.Notes', { packageArguments: [{ type: 'positional', value: 'mcp' }] }),
      ['dnx', 'Acme.Notes@1.2.3', '--yes', '--', 'mcp'],
    ],
  ])('of type %s becomes a pinned command', (_type, server, argv) => {
    const { connection, command } = derive(server);
    expect(connection).toMatchObject({ type: 'stdio', command: argv[0], args: argv.slice(1) });
    expect(command).toEqual(argv);
  });

  it.each([
    ['named', [{ type: 'named', name: '--mode', value: 'fast' }], {}, ['--mode', 'fast']],
    ['named ending in =', [{ type: 'named', name: '--mode=', value: 'fast' }], {}, ['--mode=fast']],
    ['named and empty', [{ type: 'named', name: '--verbose', value: '' }], {}, ['--verbose']],
    ['boolean and true', [{ type: 'named', name: '--verbose', format: 'boolean' }], { verbose: 'true' }, ['--verbose']],
    ['boolean and false', [{ type: 'named', name: '--verbose', format: 'boolean' }], { verbose: 'false' }, []],
    ['asked', [{ type: 'positional', valueHint: 'folder', isRequired: true }], { folder: '/a b' }, ['/a b']],
    ['optional and empty', [{ type: 'named', name: '--out' }], {}, []],
    ['optional with a default', [{ type: 'named', name: '--out', default: 'x' }], {}, ['--out', 'x']],
    ['optional with a cleared default', [{ type: 'named', name: '--out', default: 'x' }], { out: '' }, []],
    [
      'repeated',
      [{ type: 'named', name: '--dir', isRepeated: true }],
      { dir: '/a\n/b' },
      ['--dir', '/a', '--dir', '/b'],
    ],
    [
      'repeated and positional',
      [{ type: 'positional', valueHint: 'dir', isRepeated: true }],
      { dir: '/a\n/b' },
      ['/a', '/b'],
    ],
    [
      'templated',
      [
        {
          type: 'positional',
          value: '{host}:{port}',
          variables: { host: { default: 'localhost' }, port: { isRequired: true, format: 'number' } },
        },
      ],
      { port: '8080' },
      ['localhost:8080'],
    ],
    ['templated with an empty variable', [{ type: 'named', name: '-c', value: '{a}', variables: { a: {} } }], {}, []],
    ['with an unknown variable', [{ type: 'positional', value: '{other}' }], {}, ['{other}']],
    [
      'asked twice under one name',
      [
        { type: 'positional', valueHint: 'dir' },
        { type: 'positional', valueHint: 'dir' },
      ],
      { dir: 'a', 'dir-2': 'b' },
      ['a', 'b'],
    ],
  ])('passes an argument that is %s', (_what, packageArguments, inputs, args) => {
    const { connection, problems } = derive(npm({ packageArguments }), inputs as Record<string, string>);
    expect(Object.fromEntries(problems)).toEqual({});
    expect(connection).toMatchObject({ args: ['-y', '@acme/notes@1.2.3', ...args] });
  });

  it('moves secrets to the vault and keeps other variables', () => {
    const environmentVariables = [
      { name: 'NOTES_TOKEN', isRequired: true },
      { name: 'KEY_FILE', isSecret: true },
      { name: 'MODE', default: 'fast' },
      { name: 'OPTIONAL' },
      { name: 'FIXED', value: 'as {is}' },
    ];
    const { connection, secrets, values, fields } = derive(npm({ environmentVariables }), {
      NOTES_TOKEN: 't0ps3cret',
      KEY_FILE: 'k',
    });
    expect(connection).toMatchObject({
      env: {
        NOTES_TOKEN: '${secret:notes/NOTES_TOKEN}',
        KEY_FILE: '${secret:notes/KEY_FILE}',
        MODE: 'fast',
        FIXED: 'as {is}',
      },
    });
    expect(Object.fromEntries(secrets)).toEqual({ NOTES_TOKEN: 't0ps3cret', KEY_FILE: 'k' });
    expect(JSON.stringify([connection, values, fields])).not.toContain('t0ps3cret');
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['NOTES_TOKEN', 'secret', true],
      ['KEY_FILE', 'secret', false],
      ['MODE', 'text', false],
      ['OPTIONAL', 'text', false],
    ]);
  });

  const url = 'postgres://ada:p4ssw0rd@db.example/notes';
  it.each<[string, Json, Record<string, string>]>([
    ['a variable', npm({ environmentVariables: [{ name: 'DATABASE_URL', isRequired: true }] }), { DATABASE_URL: url }],
    [
      'a variable for a file',
      npm({ environmentVariables: [{ name: 'SOURCE', format: 'filepath' }] }),
      { SOURCE: 'https://x.example/a?token=p4ssw0rd' },
    ],
    [
      'a file that the entry calls secret',
      npm({ environmentVariables: [{ name: 'KEYS', format: 'filepath', isSecret: true }] }),
      { KEYS: '/home/p4ssw0rd' },
    ],
    [
      'a part of a header',
      {
        remotes: [{ url: 'https://x.example', headers: [{ name: 'X-From', value: 'db={db}', variables: { db: {} } }] }],
      },
      { db: url },
    ],
  ])('keeps a secret in the vault that is entered for %s', (_what, server, inputs) => {
    const derived = derive(server, inputs);
    const { secrets, fields, problems, ...open } = derived;
    expect(Object.fromEntries(secrets)).toEqual(inputs);
    expect(JSON.stringify([fields, [...problems], open])).not.toContain('p4ssw0rd');
    expect(derived.connection).toBeDefined();
    expect(withoutSecrets(inputs, derived)).toEqual({});
  });

  it('keeps a secret for an input that asks for none when its server is updated', () => {
    const [option] = optionsOf(entryOf(npm({ environmentVariables: [{ name: 'DATABASE_URL', isRequired: true }] })));
    const { connection } = connect(option as Option, {}, 'notes', (field) => field === 'DATABASE_URL');
    expect(connection).toMatchObject({ env: { DATABASE_URL: '${secret:notes/DATABASE_URL}' } });
  });

  it('refuses a secret that is entered for an argument, but not what the entry itself suggests', () => {
    const server = npm({ packageArguments: [{ type: 'positional', valueHint: 'database', default: url }] });
    expect(derive(server).connection).toMatchObject({ args: ['-y', '@acme/notes@1.2.3', url] });
    expect(derive(server, { database: `${url}2?password=mine` }).problems.get('database')).toContain(
      'looks like a secret',
    );
  });

  it('passes the variables of a container by name, with the values in the environment', () => {
    const { connection } = derive(
      pkg('oci', `docker.io/acme/notes@sha256:${'a'.repeat(64)}`, {
        version: undefined,
        runtimeArguments: [
          {
            type: 'named',
            name: '-e',
            value: 'TOKEN={token}',
            variables: { token: { isSecret: true, isRequired: true } },
          },
          { type: 'named', name: '-v', value: '{folder}:/data', variables: { folder: { format: 'filepath' } } },
        ],
        environmentVariables: [{ name: 'MODE', value: 'fast' }],
      }),
      { token: 's3cret', folder: '/home/ada' },
    );
    expect(connection).toEqual({
      type: 'stdio',
      command: 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        '-e',
        'MODE',
        '-v',
        '/home/ada:/data',
        '-e',
        'TOKEN',
        `docker.io/acme/notes@sha256:${'a'.repeat(64)}`,
      ],
      env: { TOKEN: '${secret:notes/token}', MODE: 'fast' },
    });
  });

  it('reports missing and invalid values by field', () => {
    const { problems, connection, command } = derive(
      npm({
        packageArguments: [
          { type: 'positional', valueHint: 'folder', isRequired: true, format: 'filepath' },
          { type: 'named', name: '--level', choices: ['low', 'high'] },
          { type: 'named', name: '--count', format: 'number' },
          { type: 'named', name: '--note' },
        ],
      }),
      { level: 'middle', count: 'many', note: 'ghp_0123456789abcdef0123' },
    );
    expect(Object.fromEntries(problems)).toEqual({
      folder: 'Required.',
      level: 'Choose one of the options.',
      count: 'Enter a number.',
      note: 'This looks like a secret. Every program of this computer can read a command line.',
    });
    expect(connection).toBeUndefined();
    expect(command.slice(0, 4)).toEqual(['npx', '-y', '@acme/notes@1.2.3', '‹folder›']);
  });
});

describe('A package is refused', () => {
  it.each<[string, Json, string]>([
    ['no version', npm({ version: undefined }), 'no exact version'],
    ['a range', npm({ version: '^1.0.0' }), 'no exact version'],
    ['the tag latest', npm({ version: 'latest' }), 'no exact version'],
    ['an image without a tag', pkg('oci', 'acme/notes', { version: '' }), 'no exact version'],
    ['an image with the tag latest', pkg('oci', 'acme/notes:latest'), 'no exact version'],
    ['a path as its name', npm({ identifier: '../evil' }), 'not the name'],
    ['an option as its name', npm({ identifier: '--call=evil' }), 'not the name'],
    ['an address as its name', npm({ identifier: 'git+https://x.example/y' }), 'not the name'],
    ['an option as its image', pkg('oci', '--privileged'), 'not the name'],
    ['another package registry', npm({ registryBaseUrl: 'https://evil.example' }), 'evil.example'],
    ['a local HTTP server', npm({ transport: { type: 'streamable-http', url: 'http://localhost:1' } }), 'HTTP server'],
    ['an unknown type', pkg('cargo', 'notes'), 'cargo'],
    ['a shell command', npm({ runtimeArguments: [{ type: 'named', name: '-c', value: 'evil' }] }), '"-c"'],
    [
      'a shell command in one word',
      npm({ runtimeArguments: [{ type: 'positional', value: '--call=evil' }] }),
      '"--call"',
    ],
    ['another package', npm({ runtimeArguments: [{ type: 'named', name: '-p', value: 'evil' }] }), '"evil"'],
    ['another program', npm({ runtimeArguments: [{ type: 'positional', value: 'bash' }] }), '"bash"'],
    [
      'another index',
      pkg('pypi', 'a', { runtimeArguments: [{ type: 'named', name: '--index', value: 'x' }] }),
      '"--index"',
    ],
    [
      'a privileged container',
      pkg('oci', 'a:1', { runtimeArguments: [{ type: 'positional', value: '--privileged' }] }),
      '"--privileged"',
    ],
    [
      'an inherited variable',
      pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', name: '-e', value: 'AWS_SECRET' }] }),
      'your environment',
    ],
    ['a variable with a strange name', npm({ environmentVariables: [{ name: 'A=B', value: 'x' }] }), '"A=B"'],
    ...[
      ...['npm_config_registry', 'NPM_CONFIG_NODE-OPTIONS', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'UV_INDEX_URL'],
      ...['GOPROXY', 'DOCKER_HOST', 'NUGET_PACKAGES', 'CORECLR_PROFILER_PATH', 'LD_PRELOAD', 'Path', 'HOME'],
      ...['https_proxy', 'GIT_SSH_COMMAND', 'PYTHONSTARTUP'],
    ].map((name): [string, Json, string] => [
      `the variable ${name}`,
      npm({ environmentVariables: [{ name, value: 'https://evil.example' }] }),
      `"${name}" would change which program runs`,
    ]),
    [
      'a variable for the program that it asks for',
      npm({ environmentVariables: [{ name: 'npm_config_registry', default: 'https://evil.example' }] }),
      '"npm_config_registry" would change',
    ],
    [
      'a container with another Docker',
      pkg('oci', 'a:1', {
        runtimeArguments: [{ type: 'named', name: '-e', value: 'DOCKER_HOST=tcp://evil.example' }],
      }),
      '"DOCKER_HOST" would change',
    ],
    [
      'too many inputs',
      npm({
        environmentVariables: Array.from({ length: 100 }, (_, at) => ({
          ...{ name: `V${at}`, value: Array.from({ length: 100 }, (_each, index) => `{x${index}}`).join('') },
          variables: Object.fromEntries(Array.from({ length: 100 }, (_each, index) => [`x${index}`, {}])),
        })),
      }),
      'too many values',
    ],
    [
      'too much text',
      npm({
        environmentVariables: [
          { name: 'V', value: '{x}'.repeat(900), variables: { x: { value: 'x'.repeat(10_000) } } },
        ],
      }),
      'too many values',
    ],
    [
      'too many places for one input',
      npm({ environmentVariables: [{ name: 'V', value: '{x}'.repeat(100_000), variables: { x: { default: 'x' } } }] }),
      'too many values',
    ],
    [
      'a secret argument',
      npm({ packageArguments: [{ type: 'named', name: '--api-key', isRequired: true }] }),
      'command line',
    ],
    [
      'a secret inside an argument',
      npm({
        packageArguments: [{ type: 'positional', value: 'x={k}', variables: { k: { isSecret: true, default: 'd' } } }],
      }),
      'command line',
    ],
  ])('that has %s', (_what, server, reason) => {
    const { refused, connection } = derive(server);
    expect(refused).toContain(reason);
    expect(connection).toBeUndefined();
  });
});

describe('A remote server', () => {
  const remote = (more: Json) => ({
    remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp', ...more }],
  });

  it.each([
    ['streamable-http', 'http'],
    ['streamable', 'http'],
    ['sse', 'sse'],
  ])('with the transport %s is connected over %s', (type, expected) => {
    expect(derive(remote({ type })).connection).toEqual({
      type: expected,
      url: 'https://mcp.example.com/mcp',
      headers: {},
    });
  });

  it('keeps the secret of a header in the vault', () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isRequired: true } } },
      { name: 'X-Api-Key', isRequired: true },
      { name: 'X-Plan', value: 'free' },
    ];
    const { connection } = derive(remote({ headers }), { token: 'abc', 'X-Api-Key': 'k' });
    expect(connection).toMatchObject({
      headers: {
        Authorization: 'Bearer ${secret:notes/token}',
        'X-Api-Key': '${secret:notes/X-Api-Key}',
        'X-Plan': 'free',
      },
    });
  });

  it('refuses a header value of several lines', () => {
    const { problems } = derive(remote({ headers: [{ name: 'X-Plan', isRequired: true }] }), {
      'X-Plan': 'a\r\nEvil: b',
    });
    expect(problems.get('X-Plan')).toBe('Must be a single line.');
  });

  const tenant = { url: 'https://{tenant}.example.com/mcp', variables: { tenant: { isRequired: true } } };
  it('resolves the variables of its address', () => {
    expect(derive(remote(tenant), { tenant: 'acme' }).connection).toMatchObject({
      url: 'https://acme.example.com/mcp',
    });
  });
  it.each(['evil.example/', 'evil.example?', 'user@evil', 'a\\b'])(
    'refuses the value %j, which changes its host',
    (value) => {
      expect(derive(remote(tenant), { tenant: value }).connection).toBeUndefined();
    },
  );
  it('refuses a host of many variables that does not fit, without trying every way to divide it', () => {
    const names = Array.from({ length: 30 }, (_, index) => `v${index}`);
    const url = `https://${names.map((name) => `{${name}}`).join('')}.example.com/mcp`;
    const variables = Object.fromEntries(names.map((name) => [name, { default: 'aaaa' }]));
    expect(derive(remote({ url, variables })).connection).toMatchObject({ type: 'http' });
    expect(derive(remote({ url, variables }), { v29: '.evil/' }).refused).toContain('changes the host');
  });
  it.each([
    [{ a: 'x', b: 'y' }, 'https://x.eu.y.example.com/'],
    [{ a: 'x.eu.z', b: 'y' }, 'https://x.eu.z.eu.y.example.com/'],
    [{ a: 'x', b: 'y.example.com' }, 'https://x.eu.y.example.com.example.com/'],
  ])('fills several variables of its host with %j', (inputs, url) => {
    const variables = { a: { isRequired: true }, b: { isRequired: true } };
    const { connection } = derive(remote({ url: 'https://{a}.EU.{b}.example.com/', variables }), inputs);
    expect(connection).toMatchObject({ url: url.replace('.eu.y', '.EU.y') });
  });
  it.each(['file:///etc/passwd', 'javascript:x', 'mcp'])('refuses the address %s', (url) => {
    expect(derive(remote({ url })).refused).toContain('not a web address');
  });
});

describe('The options of an entry', () => {
  it('start with those that need no installation, and have unique IDs', () => {
    const entry = parseEntry({
      ...base,
      packages: [...npm().packages, ...pkg('mystery', 'x').packages, ...pkg('oci', 'a:1').packages, ...npm().packages],
      remotes: [
        { type: 'sse', url: 'https://a.example/sse' },
        { type: 'streamable-http', url: 'https://a.example' },
      ],
    });
    expect(entry && optionsOf(entry).map(({ id }) => id)).toEqual(['http', 'sse', 'oci', 'npm', 'npm-2', 'mystery']);
  });
});

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
