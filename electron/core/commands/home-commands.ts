/** Commands for the start page: items that need the user, and recent activity. */
import type { FailureCode } from '../../../shared/failure.ts';
import type { Attention, ServerFix } from '../../../shared/model/home.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { summarize } from '../history/activity.ts';
import { plainSecrets } from '../secrets/plain-secrets.ts';
import { shownServer } from './server-commands.ts';
import type { CommandServices } from './services.ts';

const exampleCount = 8;
/** Fewer calls, or a shorter time, do not show which tools the user needs. */
const judgedBy = { calls: 50, ms: 14 * 24 * 60 * 60_000 };

export function homeCommands(services: CommandServices) {
  const { host, events, servers, knownTools, stores } = services;
  const { history, vault } = stores;
  const isOwn = (name: string) => host.store.get('servers').some((server) => server.name === name);

  function failedServers(): Attention[] {
    // A server's view counts its tools, so create only the views that are needed.
    const failed = servers.configs().filter(({ name, enabled }) => enabled && servers.state(name).status === 'failed');
    return failed.flatMap((config): Attention[] => {
      const { id: server, failure, signIn } = shownServer(services, config);
      if (!failure || failure.code === 'VAULT_LOCKED') return [];
      if (signIn === 'needed') return [{ kind: 'sign-in', server }];
      return [{ kind: 'server-failed', server, failure, fix: fixOf(failure.code, isOwn(server)) }];
    });
  }

  const lockedVault = (): Attention[] => (vault.view().passphrase === 'locked' ? [{ kind: 'vault-locked' }] : []);

  function heldTools(): Attention[] {
    const held = Map.groupBy(
      knownTools.held().filter((tool) => servers.isEnabled(tool.server)),
      ({ server }) => server,
    );
    return Array.from(held, ([server, tools]) => ({
      kind: 'held-tools',
      server,
      tools: tools.map(({ name }) => name),
      suspicious: tools.filter(({ findings }) => findings.length > 0).length,
    }));
  }

  function secretsInFiles(): Attention[] {
    return servers.configs().flatMap(({ name: server, connection }) => {
      const secrets = [...new Set(plainSecrets(connection).map(({ label }) => label))];
      if (secrets.length === 0) return [];
      return [{ kind: 'plain-secrets', server, secrets, canMove: vault.persistent && isOwn(server) }];
    });
  }

  function untrustedFolder(): Attention[] {
    const { folder } = services.configStore.state;
    // `file` is missing if the configuration cannot be read. Trusting it would not help.
    if (!folder?.file || folder.status === 'trusted') return [];
    const { path, file, status } = folder;
    return [{ kind: 'untrusted-folder', folder: path, file, hasChanged: status === 'changed' }];
  }

  /** The servers that were used long enough ago, if there were enough calls. */
  function judgeableServers(): ReadonlySet<string> {
    const calls = history.list({ kind: 'call', limit: Number.POSITIVE_INFINITY });
    const before = Date.now() - judgedBy.ms;
    return new Set(calls.length < judgedBy.calls ? [] : calls.flatMap(({ at, server }) => (at < before ? server : [])));
  }

  function unusedTools() {
    const judgeable = judgeableServers();
    return knownTools
      .enabled()
      .filter(({ server }) => judgeable.has(server) && servers.isEnabled(server))
      .filter(({ server, name }) => history.toolStatistics(server, name).total === 0)
      .map(({ server, name }) => ({ server, tool: name }));
  }

  return {
    'attention.list': () => [
      ...lockedVault(),
      ...failedServers(),
      ...untrustedFolder(),
      ...heldTools(),
      ...secretsInFiles(),
    ],
    'stats.activity': ({ days }) => {
      const oldest = history.oldest();
      const summary = summarize(history.list({ limit: Number.POSITIVE_INFINITY }), days, new Date());
      const unused = unusedTools();
      const examples = unused.slice(0, exampleCount);
      return { ...summary, unused: { count: unused.length, examples, ...(oldest && { since: oldest }) } };
    },
    'stats.unused': unusedTools,
    'core.setup': ({ step }) => {
      host.store.set('setupStep', step);
      events.emit('core.changed', {});
    },
  } satisfies Partial<CommandHandlers>;
}

/** The fix depends on the cause: for example, retrying never installs a missing command. */
function fixOf(code: FailureCode, isOwn: boolean): ServerFix {
  if (code === 'SECRET_MISSING') return 'secret';
  if (code === 'SECRET_UNREADABLE') return 'vault';
  if (code !== 'SERVER_SPAWN_FAILED') return 'retry';
  return isOwn ? 'edit' : 'config';
}
