/**
 * The examples of auto-discovery and elicitation, in one served product.
 *
 * @module-tag exhaustive
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { type Collector, startCollector } from '../../integration/history/collector.ts';
import { newProduct } from '../product.ts';
import { example } from './example.ts';
import { type Agent, attachUser, connect } from './stage.ts';

const product = newProduct();
let collector: Collector;
let core: CoreClient;
let agent: Agent;
/** The questions that the user saw, and the answers to give, by message. */
const asked: Question[] = [];
const answers = new Map<string, unknown>();

const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});
const string = { type: 'string' };
/** A server that lists the tools in the file. */
function listing(name: string, tools: object[]) {
  product.file(`${name}.json`, tools);
  return commands.misbehaving('normal', `tools-file=${join(product.home, `${name}.json`)}`);
}
const json = async (...args: string[]) => JSON.parse((await product.cli(...args, '--json')).stdout);
const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name).toSorted();

const organization = `export default {
  name: 'org-metadata',
  version: '1.0.0',
  transformTool: (tool) => {
    const teams = { git: 'platform-team', deploy: 'sre-team', query: 'data-team' };
    const [, team = 'unassigned'] = Object.entries(teams).find(([word]) => tool.name.toLowerCase().includes(word)) ?? [];
    const costCenter = team === 'sre-team' ? 'infrastructure' : 'product';
    return { ...tool, metadata: { ...tool.metadata, team, costCenter } };
  },
};`;
const access = `const roleFor = (tool) =>
  ['deployment', 'authentication'].includes(tool.metadata?.category) || /delete|drop/.test(tool.name) ? 'admin' : 'user';
export default {
  name: 'access-control',
  version: '1.0.0',
  transformTool: (tool) => {
    if (tool.serverId !== 'restricted' || ['user'].includes(roleFor(tool))) return tool;
    console.log('Access denied: ' + tool.name);
    return null;
  },
};`;
const lifecycle = `import { appendFileSync } from 'node:fs';
const note = (line) => appendFileSync(process.env.HOME + '/discovered.txt', line + '\\n');
export default {
  name: 'lifecycle',
  version: '1.0.0',
  beforeDiscovery: async (serverId) => note('before ' + serverId),
  transformTool: (tool) => tool,
  afterDiscovery: async (serverId, tools) => {
    for (const tool of tools) note('after ' + serverId + ' ' + tool.serverId + ' ' + tool.name + ' ' + tool.metadata.category);
  },
};`;
const asking = `const input = { type: 'object', properties: {} };
const tools = ['confirm', 'text', 'select', 'form', 'late_timeout', 'late_default', 'late_error'];
const options = (...names) => names.map((name) => ({ value: name.toLowerCase().slice(0, 4), label: name }));
const calls = {
  confirm: (ask) => ask.confirm('Delete production database?', { toolName: 'dropDatabase', confirmLabel: 'Yes, delete', cancelLabel: 'Cancel' }),
  text: (ask) => ask.getText('Enter project name:', { placeholder: 'my-project', defaultValue: 'untitled' }),
  select: (ask) => ask.select('Select target environment:', options('Development', 'Staging', 'Production')),
  form: (ask) => ask.form('Configure deployment:', [
    { name: 'region', label: 'Region', type: 'select', required: true, options: options('US East', 'EU West') },
    { name: 'replicas', label: 'Replicas', type: 'number', required: true, defaultValue: 3 },
  ]),
  late_timeout: (ask) => ask.getText('Too late?', { timeoutMs: 50, default: 'preset', fallback: 'timeout' }),
  late_default: (ask) => ask.getText('Too late?', { timeoutMs: 50, default: 'preset', fallback: 'default' }),
  late_error: (ask) => ask.getText('Too late?', { timeoutMs: 50, default: 'preset', fallback: 'error' }),
};
export default {
  name: 'asking',
  provideTools: () => tools.map((name) => ({ name, description: 'Lists what the user answers.', inputSchema: input, annotations: { readOnlyHint: true } })),
  execute: async (tool, args, { ask }) => ({ content: [{ type: 'text', text: JSON.stringify((await calls[tool](ask)) ?? null) }] }),
};`;

const servers = {
  github: listing('github', [
    tool('create_pull_request', 'Create a pull request', { title: string, body: string, base: string, head: string }),
    tool('git_log', 'Show the commits of a branch'),
  ]),
  gitlab: listing('gitlab', [tool('create_pull_request', 'Create a merge request')]),
  files: listing('files', [
    tool('readFile', 'Read a file from disk', { path: string }),
    tool('listFiles', 'List the files of a folder', { path: string }),
    tool('deleteRepository', 'Permanently remove a repository and its files', { path: string }),
  ]),
  broken: commands.misbehaving('bad-tools'),
  plain: commands.misbehaving('normal'),
  undescribed: listing('undescribed', [{ name: 'quiet', inputSchema: { type: 'object' } }]),
  restricted: listing('restricted', [
    tool('deploy_service', 'Deploy a service to production'),
    tool('login_user', 'Log a user in with a password'),
    tool('drop_table', 'Drop a table'),
    tool('query_rows', 'Query the rows of a table'),
  ]),
  guarded: listing('guarded', [
    tool('read_rows', 'Read rows of a table'),
    tool('delete_rows', 'Delete all rows of a table'),
  ]),
  changing: {
    ...listing('changing', [tool('stays', 'Read what stays'), tool('goes', 'Read what goes')]),
    lifecycle: { keepAlive: true },
  },
};
const config = {
  servers,
  plugins: ['./organization.mjs', './access.mjs', './lifecycle.mjs', './asking.mjs'],
  refreshInterval: '1s',
  toolRules: [{ server: 'guarded', safety: 'dangerous', enabled: false }],
  profiles: {
    careful: { safety: ['safe', 'moderate'], mode: 'full' },
    files: { servers: ['files', 'plain'], category: 'file-system', mode: 'full' },
  },
};

beforeAll(async () => {
  collector = await startCollector();
  Object.assign(product.env, {
    TOOLKEEP_TELEMETRY: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    OTEL_METRIC_EXPORT_TIMEOUT: '200',
    MCP_TOOL_TIMEOUT: '1',
  });
  for (const [name, text] of Object.entries({ organization, access, lifecycle, asking }))
    product.file(`.toolkeep/${name}.mjs`, text);
  product.file('.toolkeep/config.json', config);
  await product.serve();
  core = await attachUser(product, (question) => {
    if (!asked.some(({ id }) => id === question.id)) asked.push(question);
    if (question.approval) return { action: 'accept', scope: 'session' };
    const value = answers.get(question.message);
    return value === undefined ? undefined : { action: 'accept', value };
  });
  await vi.waitFor(
    async () => {
      for (const view of await core.call('servers.list')) expect(view.toolCount, view.id).toBeGreaterThan(0);
    },
    { timeout: 40_000, interval: 200 },
  );
  agent = await connect(product);
}, 60_000);
afterAll(async () => {
  await agent?.client.close();
  await product.dispose();
  await collector?.[Symbol.asyncDispose]();
});

example('auto/discover', async () => {
  const view = (await core.call('servers.list')).find(({ id }) => id === 'github');
  expect(view?.toolCount).toBe(2);
  expect(view?.phases.map(({ phase }) => phase)).toEqual([
    'configuration',
    'transport',
    'session',
    'discovery',
    'registration',
  ]);
  for (const { durationMs } of view?.phases ?? []) expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(await json('inspect', 'github', 'git_log')).toMatchObject({
    category: 'version-control',
    complexity: 'simple',
  });
  expect((await json('inspect', 'github', 'create_pull_request')).complexity).not.toBe('simple');
});

example('auto/validation', async () => {
  const view = (await core.call('servers.list')).find(({ id }) => id === 'broken');
  const names = namesOf(await json('tools', 'broken', '--all'));
  expect(names).toEqual(['echo', 'env', 'exit', 'fail', 'pid', 'sleep']);
  expect(view?.warnings).toContain('TOOL_INVALID: tool "bare" was skipped: it has no inputSchema.');
  expect(view?.warnings.join('\n')).toMatch(/name/);
  expect(await json('inspect', 'undescribed', 'quiet')).toMatchObject({ metadata: { missingDescription: true } });
  const [undescribed] = (await core.call('servers.list')).filter(({ id }) => id === 'undescribed');
  expect(undescribed?.warnings.join('\n')).toContain('without a description');
});

example('auto/annotations', async () => {
  expect(await json('inspect', 'files', 'readFile')).toMatchObject({
    annotations: { readOnlyHint: true, destructiveHint: false, safetyLevel: 'safe' },
  });
  expect(await json('inspect', 'files', 'deleteRepository')).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true, requiresConfirmation: true, safetyLevel: 'dangerous' },
  });
});

example('auto/filters', async () => {
  await agent.run('files', 'readFile', { path: 'a' });
  const reading = [
    '--category',
    'file-system',
    '--read-only',
    'yes',
    '--sort',
    'successRate',
    '--desc',
    '--limit',
    '20',
  ];
  expect((await json('tools', ...reading)).tools.map(({ name }: { name: string }) => name)).toEqual([
    'readFile',
    'listFiles',
  ]);
  expect(namesOf(await json('tools', 'files', '--safety', 'safe'))).toEqual(['listFiles', 'readFile']);
  expect(namesOf(await json('tools', 'files', '--requires-confirmation', 'yes'))).toEqual(['deleteRepository']);
  const git = (await json('tools', '--description', 'branch', '--sort', 'name')).tools;
  expect(git).toMatchObject([{ server: 'github', name: 'git_log' }]);
});

/** Runs a tool of the plug-in while the user answers with `value`; returns the result and the question. */
async function answered(name: string, message: string, value: unknown) {
  answers.set(message, value);
  const result = JSON.parse(await agent.run('asking', name));
  return { result, question: asked.findLast((one) => one.message === message) };
}

example('auto/confirm', async () => {
  const { result, question } = await answered('confirm', 'Delete production database?', true);
  expect(result).toBe(true);
  expect(question).toMatchObject({
    labels: { confirm: 'Yes, delete', cancel: 'Cancel' },
    from: { server: 'asking', tool: 'confirm' },
  });
});

example('auto/text', async () => {
  const { result, question } = await answered('text', 'Enter project name:', 'gate');
  expect(result).toBe('gate');
  expect(question?.fields).toMatchObject([{ placeholder: 'my-project', default: 'untitled' }]);
});

example('auto/select', async () => {
  const { result, question } = await answered('select', 'Select target environment:', 'stag');
  expect(result).toBe('stag');
  expect(question?.fields?.[0]?.options).toContainEqual({ value: 'prod', label: 'Production' });
});

example('auto/form', async () => {
  const values = { region: 'us e', replicas: 3 };
  const { result, question } = await answered('form', 'Configure deployment:', values);
  expect(result).toEqual(values);
  expect(question?.fields).toMatchObject([{ kind: 'select' }, { kind: 'number', default: 3 }]);
});

example('auto/fallbacks', async () => {
  expect(await agent.run('asking', 'late_timeout')).toMatch(
    /^null\nToolkeep: the tool asked a question that was not answered in time/,
  );
  expect(await agent.run('asking', 'late_default')).toMatch(/^"preset"/);
  expect(await agent.run('asking', 'late_error')).toContain('did not answer');
});

example('auto/unified', async () => {
  const full = await connect(product, '--mode', 'full');
  const names = (await full.client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['github-create_pull_request', 'gitlab-create_pull_request']));
  expect(new Set(names).size).toBe(names.length);
  expect(await full.ask('gitlab-create_pull_request')).toContain('create_pull_request');
  await full.client.close();
});

example('auto/safe_only', async () => {
  expect(await agent.ask('list_tools', { server: 'guarded' })).toMatch(/^read_rows: .*\n1 more disabled\n/);
  expect(await agent.ask('search_tools', { query: 'delete rows', server: 'guarded' })).not.toMatch(
    /^guarded\/delete_rows/m,
  );
  expect(await agent.run('guarded', 'delete_rows')).toContain('TOOL_DISABLED');
});

example('auto/safe_profile', async () => {
  const careful = await connect(product, '--profile', 'careful');
  const shown = (await careful.client.listTools()).tools.map(({ name }) => name);
  expect(shown).toEqual(expect.arrayContaining(['files-readFile', 'github-create_pull_request', 'guarded-read_rows']));
  expect(shown).not.toContain('files-deleteRepository');
  expect(await careful.ask('files-deleteRepository', { path: '/' })).toContain('NOT_IN_PROFILE');
  await careful.client.close();
  expect((await agent.ask('search_tools', { query: 'remove repository' })).split('\n')[0]).toContain(
    'deleteRepository',
  );

  const files = await connect(product, '--profile', 'files');
  const offered = (await files.client.listTools()).tools.map(({ name }) => name);
  expect(offered.toSorted()).toEqual(['files-listFiles', 'files-readFile']);
  await files.client.close();
});

example('auto/breaker', async () => {
  for (let count = 0; count < 3; count += 1) expect(await agent.run('plain', 'exit')).toContain('SERVER_CRASHED');
  expect(await agent.run('plain', 'exit')).toContain('TOOL_BREAKER_OPEN');
  expect(await agent.run('plain', 'echo', { text: 'still here' })).toBe('still here');
});

example('auto/refresh', async () => {
  for (const interval of ['development', 'staging', 'production', '90s', false, 'weekly']) {
    product.file('.toolkeep/config.json', { ...config, refreshInterval: interval });
    expect((await product.cli('config', 'validate')).code, String(interval)).toBe(interval === 'weekly' ? 2 : 0);
  }
  product.file('.toolkeep/config.json', config);
  expect((await product.cli('config', 'reload')).code).toBe(0);
  product.file('changing.json', [tool('stays', 'Read what stays'), tool('comes', 'Read what comes')]);
  await expect.poll(async () => namesOf(await json('tools', 'changing', '--all'))).toEqual(['comes', 'stays']);
});

example('auto/differences', async () => {
  const before = await core.call('tools.list', { server: 'changing' });
  product.file('changing.json', [tool('stays', 'Read what stays')]);
  await expect.poll(async () => namesOf(await json('tools', 'changing', '--all'))).toEqual(['stays']);
  const [stays] = await core.call('tools.list', { server: 'changing' });
  expect(stays).toEqual(before.find(({ name }) => name === 'stays'));
});

example('auto/metrics', async () => {
  const names = ['mcp.discovery.tool_count', 'mcp.discovery.duration_ms', 'mcp.elicitation.timeouts'];
  await expect.poll(() => collector.metrics().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(collector.bodies.join('')).toContain('late_timeout');
});

example('auto/timeout', async () => {
  const [quick, slow] = await Promise.all([
    agent.run('plain', 'sleep', { ms: 1_000 }),
    agent.run('plain', 'sleep', { ms: 60_000 }),
  ]);
  expect(quick).toBe('slept');
  expect(slow).toMatch(/SERVER_TIMEOUT.*5(?:\.0)? s|5000 ms/);
});

example('auto/organization', async () => {
  expect((await json('inspect', 'github', 'git_log')).metadata).toEqual({
    team: 'platform-team',
    costCenter: 'product',
  });
  expect((await json('inspect', 'plain', 'echo')).metadata).toMatchObject({ team: 'unassigned' });
});

example('auto/access', async () => {
  expect(namesOf(await json('tools', 'restricted', '--all'))).toEqual(['query_rows']);
  expect(await agent.run('restricted', 'drop_table')).toContain('TOOL_NOT_FOUND');
  expect((await json('inspect', 'restricted', 'query_rows')).metadata).toMatchObject({ team: 'data-team' });
});

example('auto/lifecycle', async () => {
  const lines = readFileSync(join(product.home, 'discovered.txt'), 'utf8').trim().split('\n');
  const ofFiles = lines.filter((line) => line.includes(' files')).slice(0, 4);
  expect(ofFiles).toEqual([
    'before files',
    'after files files readFile file-system',
    'after files files listFiles file-system',
    'after files files deleteRepository version-control',
  ]);
});
