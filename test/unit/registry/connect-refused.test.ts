/** Packages of registry entries that Toolkeep does not install, and why. */
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../fixtures/cpu-ms.ts';
import { derive, type Json, npm, pkg } from '../../fixtures/registry-entries.ts';

describe('A package is refused', () => {
  it.each<[string, Json, string]>([
    ['no version', npm({ version: undefined }), 'no exact version'],
    ['a range', npm({ version: '^1.0.0' }), 'no exact version'],
    ['the tag latest', npm({ version: 'latest' }), 'no exact version'],
    ['a range that looks like a version', npm({ version: '1' }), 'no exact version'],
    ['a range with a placeholder', npm({ version: '1.2.x' }), 'no exact version'],
    ['a prefix of a Go version', pkg('go', 'github.com/acme/notes', { version: 'v1.2' }), 'no exact version'],
    ['a branch of a Go module', pkg('go', 'github.com/acme/notes', { version: '1-stable' }), 'no exact version'],
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
      'a Python of the network',
      pkg('pypi', 'a', {
        runtimeArguments: [{ type: 'named', name: '--python', value: '\\\\evil.example\\python.exe' }],
      }),
      'evil.example',
    ],
    [
      'a Python in a folder',
      pkg('pypi', 'a', { runtimeArguments: [{ type: 'named', name: '-p', value: './python' }] }),
      '"-p ./python" is not allowed',
    ],
    [
      'the control of Docker',
      pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', name: '-v', value: '/run/docker.sock:/x' }] }),
      'control of the whole computer',
    ],
    [
      'the control of Docker as a mount',
      pkg('oci', 'a:1', {
        runtimeArguments: [{ type: 'named', name: '--mount', value: 'type=bind,dst=/x,src=/var/run/docker.sock' }],
      }),
      'control of the whole computer',
    ],
    [
      'the control of Docker among its inputs',
      pkg('oci', 'a:1', {
        runtimeArguments: [
          { type: 'named', name: '-v', value: '{socket}:/x', variables: { socket: { default: '/run/podman.sock' } } },
        ],
      }),
      'control of the whole computer',
    ],
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
      ...['https_proxy', 'GIT_SSH_COMMAND', 'PYTHONSTARTUP', 'GOCACHEPROG', 'PYTHONWARNINGS', 'NODE_COMPILE_CACHE'],
      ...['PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', 'CONTAINER_HOST', 'VOLTA_HOME', 'BROWSER', 'SSLKEYLOGFILE'],
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

describe('The address of a remote server is refused', () => {
  it.each<[string, string]>([
    ['a name before its host', 'https://api.github.com@evil.example/mcp'],
    ['a name and a password before its host', 'https://api.github.com:443@evil.example/mcp'],
    ['a host in Cyrillic script', 'https://\u0430pple.com/mcp'],
    ['a backslash in its host', 'https://evil.example\\.github.com/mcp'],
    ['a line break in its host', 'https://api.github.com\n.evil.example/mcp'],
    ['an invisible character in its host', 'https://api.git\u200bhub.com/mcp'],
    ['no slashes before its host', 'https:api.github.com'],
  ])('that has %s', (_what, url) => {
    const { refused, connection } = derive({ remotes: [{ type: 'streamable-http', url }] });
    expect(refused).toContain('may lead to a different host');
    expect(connection).toBeUndefined();
  });
});

it.each([
  ...['/', '//', '/var/run/', '/run', '/var/lib/..', '/run/user/501', '/private/var/run', 'C:\\', '..', '../../x'],
  ...['/var//run/./docker.sock', '//./pipe/docker_engine', '/VAR/RUN', '/run/k3s/containerd', '/run/k3s', '/run/dbus'],
  ...['/proc', '/proc/1/root', '/proc/self/root/etc', '/proc/self/cwd', '/dev', '/run/systemd/private'],
  ...[
    '~/.docker',
    '~/.docker/run',
    '/home/ada/.docker/run/',
    '~/.colima/default',
    '~/.colima',
    '~/.rd',
    '/Users/ada/.lima/x/sock',
  ],
])('A container that would get %s of the computer is refused', (path) => {
  const mounts = [
    { name: '-v', value: `${path}:/x` },
    { name: '--mount', value: `type=bind,dst=/x,SRC=${path}` },
    { name: '--mount', value: `type=bind,src=/tmp/harmless,source=${path},dst=/x` },
  ];
  for (const mount of mounts) {
    const { refused } = derive(pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', ...mount }] }));
    expect(refused, mount.value).toContain('control of the whole computer');
  }
});

it.each([
  ...['~', '~/', '~root', '/root', '/root/x/..', '/home', '/home/', '/Users/', 'C:\\Users', '/etc', '/private/etc'],
  ...['~/.toolkeep', '/home/ada/.toolkeep/run', '~/.ssh/id_ed25519', '~/.aws', '~/.config', '/etc/shadow', '/etc/ssh'],
  ...['/var/lib/docker', '/var/lib/docker/volumes', '/var/lib/containerd', '/var/lib/x/..'],
])('A container that would get %s, which contains keys, is refused', (path) => {
  for (const mount of [
    { name: '-v', value: `${path}:/x` },
    { name: '--mount', value: `type=bind,src=${path},dst=/x` },
  ]) {
    const { refused } = derive(pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', ...mount }] }));
    expect(refused, mount.value).toContain('contains keys and passwords');
  }
});

it.each([
  ['--network', 'host', 'shares the network'],
  ['--net', 'container:db', 'shares the network'],
  ['--user', '0:0', 'runs as root'],
  ['-u', 'root', 'runs as root'],
])('A container with %s %s is installed with a warning', (name, value, warning) => {
  const { warnings, refused } = derive(pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', name, value }] }));
  expect(refused).toBeUndefined();
  expect(warnings.join()).toContain(warning);
});

it('A container that gets a whole home folder is installed with a warning', () => {
  const runtimeArguments = [{ type: 'named', name: '-v', value: '/home/ada:/x' }];
  const { warnings, refused } = derive(pkg('oci', 'a:1', { runtimeArguments }));
  expect(refused).toBeUndefined();
  expect(warnings).toEqual(['The container gets /home/ada with all keys and passwords in it.']);
});

it('A container with its own network and user has no warning', () => {
  const runtimeArguments = [
    { type: 'named', name: '--network', value: 'none' },
    { type: 'named', name: '-u', value: '1000' },
  ];
  expect(derive(pkg('oci', 'a:1', { runtimeArguments })).warnings).toEqual([]);
});

it.each([
  ['a long name', 'a'.repeat(60_000), {}],
  ['a name that looks like many hosts', `a${'.'.repeat(60_000)}`, {}],
  ['a registry with a long name', 'acme/notes', { registryBaseUrl: `https://${'a.'.repeat(30_000)}` }],
])('An image with %s does not hold Core', (_what, identifier, more) => {
  const before = cpuMs();
  const { refused } = derive(pkg('oci', identifier, more));
  expect(cpuMs() - before).toBeLessThan(500);
  if (identifier.length > 500) expect(refused).toContain('too long');
});

it('A mount whose source is in quotes is refused', () => {
  const value = 'type=bind,dst=/x,"source=/var/run/docker.sock"';
  const { refused } = derive(pkg('oci', 'a:1', { runtimeArguments: [{ type: 'named', name: '--mount', value }] }));
  expect(refused).toContain('is not allowed');
});

it.each([
  ...[
    '/home/ada/notes',
    '/var/lib/notes',
    '/running',
    'C:\\Users\\ada\\notes',
    './notes',
    '/dev/dri',
    '~/.docker/config.json',
  ],
  ...['~/notes', '/etc/localtime', '/etc/ssl/certs', '~/.config/notes', '/home/ada/.sshx'],
])('A container may get %s of the computer', (path) => {
  const runtimeArguments = [{ type: 'named', name: '-v', value: `${path}:/x` }];
  expect(derive(pkg('oci', 'a:1', { runtimeArguments })).refused).toBeUndefined();
});

describe('A bundle of a registry', () => {
  const bundle = 'https://github.com/acme/notes/releases/download/v1/notes.mcpb';
  const fileSha256 = 'a1'.repeat(32);
  it.each<[string, string, Record<string, string>, string]>([
    ['that has a hash is installed by the user', bundle, { fileSha256 }, `bundle add FILE --sha256 ${fileSha256}`],
    ['without a hash cannot be verified', bundle, {}, 'no SHA-256'],
    ['with a malformed hash cannot be verified', bundle, { fileSha256: '; rm -rf ~' }, 'no SHA-256'],
    ['at an address that is not encrypted is refused', 'http://a.example/x.mcpb', { fileSha256 }, 'not the address'],
  ])('%s', (_what, identifier, more, reason) => {
    expect(derive(pkg('mcpb', identifier, more)).refused).toContain(reason);
  });
});
