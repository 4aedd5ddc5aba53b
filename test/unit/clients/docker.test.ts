/** The Docker MCP Toolkit: its profiles, in files and in its database, its catalogs, and the tools that it limits. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { planImport, readSource } from '../../../electron/core/clients/import/import.ts';
import { compileRules } from '../../../electron/core/rules/rules.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost({ platform: 'linux' });
  onTestFinished(host.dispose);
});

function put(path: string, content: string): string {
  const file = join(host.homeDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The schema of Docker's own database. */
const schema =
  'create table working_set (id text primary key, name text not null, servers text not null check (json_valid(servers)), secrets text not null check (json_valid(secrets)))';

function putProfiles(profiles: Record<string, object[]>): void {
  const file = put('.docker/mcp/mcp-toolkit.db', '');
  const database = new DatabaseSync(file);
  database.exec(schema);
  const insert = database.prepare("insert into working_set values (?, ?, ?, '{}')");
  for (const [id, servers] of Object.entries(profiles)) insert.run(id, id.toUpperCase(), JSON.stringify(servers));
  database.close();
}

const image = (name: string, more: object = {}) => ({
  type: 'image',
  image: `mcp/${name}@sha256:0123456789ab`,
  snapshot: { server: { name, description: `About ${name}` } },
  ...more,
});

const plan = async (sources = ['docker']) => {
  const { entries, files } = await planImport(host, { sources, known: [] });
  const problems = files.flatMap((file) => file.problems.map(({ message }) => message));
  return { entries, problems, servers: entries.map(({ server }) => server) };
};

const isEnabled = (disabledTools: string[][] = [], tool: string) =>
  compileRules(disabledTools.map((pattern) => ({ server: 's', pattern, enabled: false }))).decide({
    server: 's',
    name: tool,
  }).enabled;

describe("A profile in Docker's database", () => {
  it("is imported as Docker's gateway for that profile", async () => {
    putProfiles({ default: [image('fetch')], 'web-dev': [image('github'), image('slack')] });
    const { entries, problems } = await plan();
    expect(problems).toEqual([]);
    expect(entries.map(({ server: { name, connection } }) => [name, connection])).toEqual([
      ['MCP_DOCKER', { type: 'stdio', command: 'docker', args: ['mcp', 'gateway', 'run'], env: {} }],
      [
        'MCP_DOCKER-web-dev',
        { type: 'stdio', command: 'docker', args: ['mcp', 'gateway', 'run', '--profile', 'web-dev'], env: {} },
      ],
    ]);
    expect(entries[1]?.notes).toContain('Includes the servers of Docker\'s profile "web-dev": github, slack.');
  });

  it('keeps the tools disabled that the profile does not list, imported and live', async () => {
    putProfiles({ work: [image('github', { tools: ['get_issue'] }), image('slack', { tools: [] })] });
    const live = await readSource(host, { type: 'docker', path: '' });
    for (const [server] of [(await plan()).servers, live.servers]) {
      expect(isEnabled(server?.disabledTools, 'get_issue')).toBe(true);
      expect(isEnabled(server?.disabledTools, 'github__get_issue')).toBe(true);
      expect(isEnabled(server?.disabledTools, 'delete_repo')).toBe(false);
    }
  });

  it('says that Docker limits the tools if another server of the profile is not limited', async () => {
    putProfiles({ work: [image('github', { tools: ['get_issue'] }), image('slack')] });
    const [entry] = (await plan()).entries;
    expect(entry?.server.disabledTools).toBeUndefined();
    expect(entry?.notes).toContain('Docker limits the tools of: github.');
  });

  it('is one server with the same gateway in another client', async () => {
    putProfiles({ default: [image('fetch')] });
    put('.docker/mcp/registry.yaml', 'registry:\n  fetch:\n    ref: ""\n');
    put(
      '.cursor/mcp.json',
      JSON.stringify({ mcpServers: { Docker: { command: 'docker', args: ['mcp', 'gateway', 'run'] } } }),
    );
    const { entries } = await plan(['cursor', 'docker']);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.origins.map(({ source }) => source)).toEqual(['cursor', 'docker', 'docker']);
  });
});

describe('A database without profiles', () => {
  it('is reported with the command that exports a profile if it is damaged', async () => {
    const file = put('.docker/mcp/mcp-toolkit.db', 'not a database'.repeat(100));
    const { files } = await planImport(host, { sources: ['docker'], known: [] });
    const [problem] = files.flatMap(({ problems }) => problems);
    expect(problem).toMatchObject({ code: 'CLIENT_FILE_INVALID', file });
    expect(problem?.hint).toContain('docker mcp profile export');
  });

  it('is not waited for if it is a pipe', { tags: ['posix'] }, async () => {
    const pipe = join(dirname(put('.docker/mcp/other', '')), 'mcp-toolkit.db');
    execFileSync('mkfifo', [pipe]);
    // A writer, so that opening the pipe would not block this test.
    const handle = openSync(pipe, 'r+');
    onTestFinished(() => closeSync(handle));
    expect((await plan()).problems).toEqual([`${pipe} cannot be read: it is not a regular file.`]);
  });

  it('is not asked for a view, which could take forever', async () => {
    const file = put('.docker/mcp/mcp-toolkit.db', '');
    const database = new DatabaseSync(file);
    database.exec(
      'create view working_set as with recursive n(i) as (select 1 union all select i + 1 from n) select i as id, i as servers from n',
    );
    database.close();
    expect(await plan()).toMatchObject({ entries: [], problems: [] });
  });
});

describe('tools.yaml', () => {
  const registry = 'registry:\n  github:\n    ref: ""\n  fetch:\n    ref: ""\n';

  it('keeps all other tools disabled if it lists every server', async () => {
    put('.docker/mcp/registry.yaml', registry);
    put('.docker/mcp/tools.yaml', 'github:\n  - get_issue\nfetch: [fetch]\n');
    const [server] = (await plan()).servers;
    expect(['get_issue', 'fetch', 'delete_repo'].map((tool) => isEnabled(server?.disabledTools, tool))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is left to Docker if it lists only some servers', async () => {
    put('.docker/mcp/registry.yaml', registry);
    put('.docker/mcp/tools.yaml', 'github:\n  - get_issue\n');
    const [entry] = (await plan()).entries;
    expect(entry?.server.disabledTools).toBeUndefined();
    expect(entry?.notes).toContain('Docker limits the tools of: github.');
  });
});

/** A profile as `docker mcp profile export` writes it. */
const exported = `version: 1
id: web-dev
name: Web development
servers:
  - type: image
    image: mcp/github@sha256:0123456789ab
    config:
      host: github.example.com
      limits:
        size: 5
    secrets: default
    tools: [get_issue]
    snapshot:
      server:
        name: github
        description: Issues and pull requests
        type: server
        image: mcp/github@sha256:0123456789ab
        secrets:
          - name: github.token
            env: GITHUB_TOKEN
        env:
          - name: GITHUB_HOST
            value: "{{github.host}}"
          - name: MAX_SIZE
            value: "{{github.limits.size}}"
          - name: OPTIONAL
            value: "{{github.missing}}"
        volumes: ["cache:/cache"]
        command: [stdio, --read-only]
        user: "1000"
        disableNetwork: true
  - type: image
    image: mcp/filesystem:latest
    config: { paths: [/home/me] }
    snapshot:
      server:
        name: filesystem
        command: ["{{filesystem.paths|volume-target|into}}"]
  - type: image
    image: registry.example.com:5000/team/plain:1.0
  - type: remote
    endpoint: https://mcp.example.com/mcp
    snapshot: { server: { name: hosted, remote: { url: "https://mcp.example.com/mcp" } } }
  - type: registry
    source: https://registry.example.com/v0/servers/1
secrets:
  default: { provider: docker-desktop-store }
`;

describe('An exported profile', () => {
  it('is imported as one server for each image and URL', async () => {
    const file = put('web-dev.yaml', exported);
    const { entries, problems } = await plan([file]);
    expect(problems).toEqual([]);
    const [github, filesystem, plain, hosted, registry] = entries;
    expect(github?.server).toMatchObject({
      name: 'github',
      enabled: true,
      description: 'Issues and pull requests',
      connection: {
        command: 'docker',
        args: [
          ...['run', '-i', '--rm', '--init', '-e', 'GITHUB_HOST', '-e', 'MAX_SIZE', '-e', 'GITHUB_TOKEN'],
          ...['-v', 'cache:/cache', '-u', '1000', '--network', 'none'],
          ...['mcp/github@sha256:0123456789ab', 'stdio', '--read-only'],
        ],
        env: { GITHUB_HOST: 'github.example.com', MAX_SIZE: '5', GITHUB_TOKEN: '${input:GITHUB_TOKEN}' },
      },
    });
    expect(isEnabled(github?.server.disabledTools, 'get_issue')).toBe(true);
    expect(isEnabled(github?.server.disabledTools, 'delete_repo')).toBe(false);
    expect(filesystem?.state).toBe('unusable');
    expect(filesystem?.notes[0]).toContain('Only Docker fills in {{filesystem.paths|volume-target|into}}.');
    expect(plain?.server.connection).toMatchObject({
      args: [...['run', '-i', '--rm', '--init'], expect.stringContaining(':5000/team/plain:1.0')],
    });
    expect(plain?.server.name).toBe('plain');
    expect(hosted?.server).toMatchObject({ name: 'hosted', connection: { type: 'http' } });
    expect(registry?.notes[0]).toContain('It comes from https://registry.example.com/v0/servers/1.');
  });

  it('is imported from JSON, too', async () => {
    const profile = { version: 1, id: 'one', name: 'One', servers: [image('fetch')] };
    const { servers } = await plan([put('one.json', JSON.stringify(profile))]);
    expect(servers.map(({ name, connection }) => [name, connection.type])).toEqual([['fetch', 'stdio']]);
  });
});

describe('A catalog', () => {
  it('is imported as disabled, and its secrets are asked for', async () => {
    const catalog = `version: 3
name: docker-mcp
registry:
  brave:
    description: Search
    image: mcp/brave
    secrets: [{ name: brave.key, env: BRAVE_API_KEY }]
  hosted:
    description: Hosted
    remote:
      url: https://mcp.example.com/sse
      transport_type: sse
      headers: { Authorization: "Bearer \${HOSTED_TOKEN}" }
    secrets: [{ name: hosted.token, env: HOSTED_TOKEN }]
`;
    const { entries } = await plan([put('catalog.yaml', catalog)]);
    expect(entries.map(({ server: { name, enabled, connection } }) => [name, enabled, connection])).toEqual([
      [
        'brave',
        false,
        {
          type: 'stdio',
          command: 'docker',
          args: ['run', '-i', '--rm', '--init', '-e', 'BRAVE_API_KEY', 'mcp/brave'],
          env: { BRAVE_API_KEY: '${input:BRAVE_API_KEY}' },
        },
      ],
      [
        'hosted',
        false,
        {
          type: 'sse',
          url: 'https://mcp.example.com/sse',
          headers: { Authorization: 'Bearer ${input:HOSTED_TOKEN}' },
        },
      ],
    ]);
  });
});
