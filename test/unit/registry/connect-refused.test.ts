/** Packages of registry entries that Gatehouse does not install, and why. */
import { describe, expect, it } from 'vitest';
import { derive, type Json, npm, pkg } from '../../fixtures/registry-entries.ts';

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
