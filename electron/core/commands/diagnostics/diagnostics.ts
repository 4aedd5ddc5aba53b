/**
 * The diagnostics that a user can send with a bug report, as text. Toolkeep itself determines most of the content. Strings
 * from the log and from failure messages are redacted line by line.
 */
import { win32 } from 'node:path';
import type { Failure } from '../../../../shared/failure.ts';
import type { Connection, ServerConfig, ServerView } from '../../../../shared/model/server.ts';
import { nameWithEscapes } from '../../../../shared/visible-text.ts';
import { createSlices } from '../../async/slices.ts';
import { effectiveSettings } from '../../config/user-settings.ts';
import type { CommandServices } from '../services.ts';
import { installationFacts } from './installation.ts';
import { createNameRedactor, createPrivateRedactor } from './private-values.ts';

const maxFailures = 50;
const maxLineLength = 1_000;

const introduction = [
  'This report contains no secrets, arguments, results, values of environment variables or headers, paths of URLs,',
  'or names of your user account and computer. It contains the names of your servers, their tools and your clients.',
];

/** `views` are the servers as UIs see them. */
export async function diagnosticsText(services: CommandServices, views: readonly ServerView[]): Promise<string> {
  const { host, servers, clients } = services;
  const configs = servers.configs();
  const redactNames = createNameRedactor(host);
  const secrets = await vaultValues(services);
  const redactor = createPrivateRedactor(configs, secrets ?? [], host);
  const withheld = '(withheld, because the vault cannot be read to recognize its secrets)';
  /** Redacts a line of unknown origin. */
  const redacted = (text: string) => (secrets ? redactor.redactValues(text) : withheld);

  const rest = createSlices();
  const lines: string[] = [];
  const add = async (section: string, content: readonly string[] | readonly (() => string)[]) => {
    lines.push('', section, '-'.repeat(section.length));
    for (const line of content) {
      const text = redactNames(redactor.redactSecrets(typeof line === 'string' ? line : line()));
      lines.push(nameWithEscapes(text).slice(0, maxLineLength));
      await rest();
    }
    if (content.length === 0) lines.push('none');
  };

  lines.push(`Toolkeep diagnostics, ${new Date().toISOString()}`, '', ...introduction);
  await add('Versions', versions(host.version));
  await add('System', system(services));
  await add('Configuration', configuration(services, redacted));
  const connected = clients.views();
  await add(
    `Clients (${connected.length})`,
    connected.map(
      ({ name, version, transport, era, mode, routing }) =>
        `${name} ${version}: ${transport}, ${era ?? 'unknown'} protocol, ${mode} mode, questions answered by ${routing}`,
    ),
  );
  await add(
    `Servers (${views.length})`,
    views.flatMap((view, index) => serverLines(view, configs[index] as ServerConfig, redacted)),
  );
  await add(`Recent failures, at most ${maxFailures}, newest first`, recentFailures(services));
  const log = await host.recentLog();
  await add('Log, last lines', secrets ? log.map((line) => () => redactedLogLine(line, redacted)) : [withheld]);
  return `${lines.join('\n')}\n`;
}

/** All values of the vault; undefined if one of them is unreadable, because text that contains it could not be redacted. */
async function vaultValues({ stores: { vault } }: CommandServices): Promise<string[] | undefined> {
  try {
    const values = await vault.reveal(vault.names());
    return values.size === vault.names().length ? [...values.values()] : undefined;
  } catch {
    return undefined;
  }
}

function versions(version: string): string[] {
  const { electron, chrome, node, v8 } = process.versions as NodeJS.ProcessVersions & { chrome?: string };
  return [
    `Toolkeep ${version}`,
    `Node.js ${node}, V8 ${v8}`,
    ...(electron ? [`Electron ${electron}, Chromium ${chrome}`] : []),
  ];
}

function system({ host, startedAt, servers, pause, http, network, stores }: CommandServices): string[] {
  const { certificates, extraCertificates, proxy } = network.view();
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
  const { rss, heapUsed } = process.memoryUsage();
  const until = pause.until === undefined ? '' : ` until ${new Date(pause.until).toISOString()}`;
  return [
    ...installationFacts({ host, stores }).map(({ name, value }) => `${name}: ${value}`),
    `Uptime: ${Math.round((Date.now() - startedAt) / 1000)} s${servers.isPaused ? `, paused${until}` : ''}`,
    `Memory: ${megabytes(rss)} MB, of which ${megabytes(heapUsed)} MB heap`,
    `Data folder: ${host.dataDir}`,
    `Bridge: ${host.bridge.command}`,
    `Entries in the vault: ${stores.vault.names().length}`,
    `Certificates: ${certificates}${extraCertificates ? ' and NODE_EXTRA_CA_CERTS' : ''}, proxy: ${proxy ? (proxy.isUsed ? 'used' : 'not used') : 'none'}`,
    `HTTP: ${http() ? 'listening' : 'not listening'}`,
  ];
}

function configuration(
  { host, configStore, config, plugins, knownTools }: CommandServices,
  redacted: (text: string) => string,
): string[] {
  const { file, folder, written, problems, warnings } = configStore.state;
  const { enabled, cache, sources, toolRules } = config();
  const tools = knownTools.size();
  return [
    `File: ${file ?? 'none'}`,
    ...(folder ? [`Folder: its configuration is ${folder.status}`] : []),
    `Keys in the file: ${written.join(', ') || 'none'}`,
    `Enabled: ${enabled}, catalog cache: ${cache.enabled ? `${cache.ttl} s` : 'disabled'}`,
    ...effectiveSettings(configStore.state.config, host.store.get('userSettings'), written).map(
      ({ key, value, origin }) => `${key}: ${value} (${origin})`,
    ),
    `Sources: ${sources.map(({ type }) => type).join(', ') || 'none'}`,
    `Rules: ${toolRules.length} in the file, ${host.store.get('rules').length} own, overrides: ${host.store.get('overrides').length}, grants: ${host.store.get('grants').length}`,
    `Tools: ${tools.all}, ${tools.enabled} enabled`,
    ...[...problems, ...plugins.problems].map((problem) => `Problem: ${failureLine(problem, redacted)}`),
    ...warnings.map((warning) => `Warning: ${redacted(warning)}`),
  ];
}

function serverLines(view: ServerView, config: ServerConfig, redacted: (text: string) => string): string[] {
  const { status, phase, transport, version, era, toolCount, enabledCount, restarts, breaker, calls, phases } = view;
  const facts = [
    status === 'starting' && phase ? `starting (${phase})` : status,
    transport,
    ...(version ? [`version ${version}`] : []),
    ...(era ? [`${era} protocol`] : []),
    `${toolCount} tools (${enabledCount} enabled)`,
    `${calls.total} calls (${calls.failed} failed, ${Math.round(calls.averageMs)} ms)`,
    ...(restarts > 0 ? [`${restarts} restarts`] : []),
    ...(breaker === 'closed' ? [] : [`breaker ${breaker}`]),
    ...(view.signIn ? [`sign-in ${view.signIn}`] : []),
  ];
  const lastStart = phases.map((one) => `${one.phase} ${Math.round(one.durationMs)} ms`).join(', ');
  return [
    `${view.id}: ${facts.join(', ')}`,
    `  ${target(config.connection)}`,
    ...(view.origins.length > 0 ? [`  From: ${view.origins.map(({ source }) => source).join(', ')}`] : []),
    ...(lastStart ? [`  Last start: ${lastStart}`] : []),
    ...(view.failure ? [`  Failure: ${failureLine(view.failure, redacted)}`] : []),
    ...view.warnings.map((warning) => `  Warning: ${redacted(warning)}`),
  ];
}

/** Describes a program or host without its arguments and values: `npx some-server, 3 arguments, environment: API_KEY`. */
function target(connection: Connection): string {
  if (connection.type !== 'stdio') {
    const { url, replicas = [], headers, oauth } = connection;
    const { protocol, host } = URL.parse(url) ?? { protocol: 'invalid URL', host: '' };
    const names = Object.keys(headers).join(', ');
    return `${protocol}//${host}${names && `, headers: ${names}`}${replicas.length > 0 ? `, ${replicas.length + 1} replicas` : ''}${oauth ? ', OAuth client' : ''}`;
  }
  const { command, args, env, environment, instances, cwd, envFile } = connection;
  const program = win32.basename(command.trim().split(/\s/)[0] ?? '');
  const names = Object.keys(env).join(', ');
  const installed = packageOf(program, args);
  return [
    installed ? `${program} ${installed}` : program,
    `${args.length} arguments`,
    ...(names ? [`environment: ${names}`] : []),
    ...(environment ? [`${environment} environment`] : []),
    ...(cwd === undefined ? [] : ['own working folder']),
    ...(envFile === undefined ? [] : ['env file']),
    ...(instances === undefined ? [] : [`instances: ${instances}`]),
  ].join(', ');
}

/** The package that `npx -y PACKAGE` or `uvx PACKAGE` runs; undefined if the arguments are not that simple. */
function packageOf(program: string, args: readonly string[]): string | undefined {
  if (!/^(?:npx|uvx|bunx|pnpx)(?:\.cmd|\.exe)?$/i.test(program)) return undefined;
  const first = args.find((arg) => !/^(?:-y|--yes|-q|--quiet)$/.test(arg));
  return first !== undefined && /^(?:@[\w.-]+\/)?[a-z][\w.-]*(?:@[\w.^~-]+|==[\w.]+)?$/i.test(first)
    ? first
    : undefined;
}

function failureLine({ code, message, file, line }: Failure, redacted: (text: string) => string): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `${code}: ${redacted(message)}${place}`;
}

/** The newest failed calls, without messages, which may quote arguments. */
function recentFailures({ stores: { history } }: CommandServices): string[] {
  return history
    .list({ kind: 'call', limit: 1_000 })
    .filter(({ outcome }) => outcome !== 'ok')
    .slice(0, maxFailures)
    .map(
      ({ at, client, server, tool, outcome, code, durationMs }) =>
        `${new Date(at).toISOString()} ${server}/${tool} by ${client}: ${outcome}${code ? ` ${code}` : ''}, ${durationMs} ms`,
    );
}

/** Redacts the message in a line such as `2026-11-22T09:40:00.000Z warn message`. */
function redactedLogLine(line: string, redacted: (text: string) => string): string {
  const head = /^\d{4}-\d\d-\d\dT[\d:.]+Z \w+ /.exec(line)?.[0] ?? '';
  return head + redacted(line.slice(head.length));
}
