/** Converting registry entries of every format and type to connections: exact commands, secrets in the vault. */
import { describe, expect, it } from 'vitest';
import { connect, type Option, optionsOf } from '../../../electron/core/registry/connect.ts';
import { parseEntry } from '../../../electron/core/registry/entry.ts';
import { withoutSecrets } from '../../../electron/core/registry/plan.ts';
import { base, derive, entryOf, type Json, npm, pkg } from '../../fixtures/registry-entries.ts';

describe('A package', () => {
  it.each([
    ['npm', npm(), ['npx', '-y', '@acme/notes@1.2.3']],
    ['pypi', pkg('pypi', 'acme-notes'), ['uvx', '--from', 'acme-notes==1.2.3', 'acme-notes']],
    ['pypi with extras', pkg('pypi', 'notes[cli]'), ['uvx', '--from', 'notes[cli]==1.2.3', 'notes']],
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

  it('keeps a secret that was entered for an ordinary input when its server is updated', () => {
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

  it('asks for all variables of a text, also if a list among them is empty', () => {
    const variables = { folder: { isRepeated: true }, mode: {} };
    const { fields, connection } = derive(
      npm({ packageArguments: [{ type: 'positional', value: '{folder}:{mode}', variables }] }),
    );
    expect(fields.map(({ name }) => name)).toEqual(['folder', 'mode']);
    expect(connection).toMatchObject({ args: ['-y', '@acme/notes@1.2.3'] });
  });

  it('requires and uses no value of a text that an empty list leaves out', () => {
    const variables = {
      folder: { isRepeated: true },
      mode: { isRequired: true },
      file: { format: 'filepath', default: '/etc/passwd' },
    };
    const { fields, problems, files } = derive(
      npm({ packageArguments: [{ type: 'positional', value: '{folder}:{mode}:{file}', variables }] }),
    );
    expect(fields.map(({ name }) => name)).toEqual(['folder', 'mode', 'file']);
    expect([...problems]).toEqual([]);
    expect(files).toEqual([]);
  });

  it("lists the user's files that a container gets, even if the entry sets them", () => {
    const mounts = [
      { type: 'named', name: '-v', value: '/srv:/host:ro' },
      { type: 'named', name: '--volume=', value: 'C:\\Data:/data' },
      { type: 'named', name: '-v', value: 'notes-data:/data' },
      { type: 'named', name: '--mount', value: 'type=volume,dst=/root,volume-opt=device=/opt' },
      { type: 'named', name: '-v', value: '{folder}:/in', variables: { folder: { format: 'filepath' } } },
      { type: 'named', name: '-w', value: '/work' },
    ];
    const { files } = derive(pkg('oci', 'acme/notes:1', { runtimeArguments: mounts }), { folder: '/home/ada' });
    expect(files).toEqual(['/home/ada', '/srv', 'C:\\Data', '/opt']);
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
      note: 'This looks like a secret. Every program on this computer can read a command line.',
    });
    expect(connection).toBeUndefined();
    expect(command.slice(0, 4)).toEqual(['npx', '-y', '@acme/notes@1.2.3', '‹folder›']);
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
  it('refuses a host that does not match many variables, without trying every way to split it', () => {
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
  it('are limited, and the best ones remain', () => {
    const packages = [...Array.from({ length: 99 }, () => npm().packages).flat(), ...pkg('oci', 'a:1').packages];
    const kinds = optionsOf(entryOf({ packages })).map(({ kind }) => kind);
    expect(kinds).toEqual(['oci', ...Array.from({ length: 19 }, () => 'npm')]);
  });
});
