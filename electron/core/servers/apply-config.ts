/** Applies the configuration to servers, rules and plug-ins, at startup and after each change. */
import { toFailure } from '../../../shared/failure.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { watchSources } from '../clients/watch-sources.ts';
import type { ConfigStore } from '../config/config.ts';
import type { Config } from '../config/schema.ts';
import type { Events } from '../events.ts';
import type { History } from '../history/history.ts';
import type { Results } from '../history/results.ts';
import type { Host } from '../host.ts';
import type { PluginSet } from '../plugins/plugins.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { Restriction } from '../tools/rule-order.ts';
import { configuredServers } from './configured-servers.ts';
import type { Network } from './network.ts';
import type { ApplyReport, Servers } from './servers.ts';

export type ConfigApplier = ReturnType<typeof createConfigApplier>;

/** The rules that disable what the clients disable that the server was imported from. */
const clientRules = ({ name, disabledTools = [] }: ServerConfig): Restriction[] =>
  disabledTools.map((pattern) => ({ server: name, pattern, enabled: false, origin: 'client' }));

export function createConfigApplier(options: {
  host: Host;
  events: Events;
  configStore: ConfigStore;
  config(): Config;
  plugins: PluginSet;
  servers: Servers;
  network: Network;
  knownTools: KnownTools;
  history: Pick<History, 'setRetention'>;
  results: Pick<Results, 'setRetention'>;
}) {
  const { host, events, configStore, config, plugins, servers, network, knownTools, history, results } = options;
  let configured: ServerConfig[] = [];
  let applied: Promise<ApplyReport> | undefined;
  let refreshTimer: NodeJS.Timeout | undefined;
  let stopFollowing: (() => void) | undefined;
  const customPaths = () => config().sources.flatMap(({ path }) => (path === '' ? [] : path));
  const sourceWatching = watchSources(host, sourcesChanged, customPaths);
  events.on('config.changed', sourceWatching.rescan);

  function setRules(): void {
    const { toolRules, folder } = config();
    const ofFolder = (folder?.toolRules ?? []).map((rule) => ({ ...rule, origin: 'folder' as const }));
    const restrictions = [...configured.flatMap(clientRules), ...ofFolder];
    const isOfFolder = (rule: Rule) => folder?.acceptedRules.includes(rule);
    const others = toolRules.map((rule) => (isOfFolder(rule) ? { ...rule, origin: 'folder' as const } : rule));
    knownTools.setRules(host.store.get('rules'), others, host.store.get('overrides'), restrictions);
    events.emit('state.changed', {});
  }

  function announceRules(): void {
    events.emit('rules.changed', {});
    events.emit('core.changed', {});
    events.emit('list.changed', { list: 'tools' });
  }

  /** Applies the rules and overrides, and nothing else. */
  function applyRules(): void {
    setRules();
    announceRules();
  }

  /** Applies the stored settings and the current configuration. */
  async function reconfigure(): Promise<ApplyReport> {
    await network.apply(config().network);
    configured = await configuredServers(host, config());
    setRules();
    const report = servers.apply(configured);
    events.emit('state.changed', {});
    for (const name of report.changed) events.emit('server.reset', { server: name });
    events.toolsChanged(...report.added, ...report.removed, ...report.changed);
    announceRules();
    return report;
  }

  /** Applies the settings for how long history and results are kept. */
  async function setRetention(): Promise<void> {
    const { months, resultDays } = config().history;
    await Promise.all([history.setRetention(months), results.setRetention(resultDays)]);
  }

  async function applyChange(): Promise<ApplyReport> {
    await plugins.load(config().enabled ? config().plugins : [], configStore.state.file);
    const report = await reconfigure();
    refreshPeriodically();
    await setRetention();
    events.emit('config.changed', { problems: [...configStore.state.problems, ...plugins.problems] });
    void servers.refreshStale();
    return report;
  }

  /** Runs changes one after the other, so that an older configuration is never applied after a newer one. */
  function enqueue(apply: () => Promise<ApplyReport>): void {
    applied = Promise.allSettled([applied]).then(apply);
    applied.catch((error) => host.log('error', toFailure(error).message));
  }

  function sourcesChanged(): void {
    events.emit('import.changed', {});
    if (config().sources.length > 0) enqueue(applySources);
  }

  async function applySources(): Promise<ApplyReport> {
    const report = await reconfigure();
    void servers.refreshStale();
    return report;
  }

  function refreshPeriodically(): void {
    clearInterval(refreshTimer);
    if (config().refreshIntervalMs === 0) return;
    refreshTimer = setInterval(() => void servers.refreshLive(), config().refreshIntervalMs);
    refreshTimer.unref();
  }

  return {
    applyRules,
    reconfigure,
    setRetention,
    /** Reads the config file again and applies it. */
    async reload(): Promise<ApplyReport> {
      await configStore.reload();
      return (await applied) ?? { added: [], removed: [], changed: [] };
    },
    /** Applies the configuration for the first time, then follows changes to the config file and the sources. */
    async start(): Promise<void> {
      // Watch sources before reading them, so that no change in between goes unnoticed.
      if (config().sources.length > 0) await sourceWatching.ready;
      applied = reconfigure();
      await applied;
      await setRetention();
      refreshPeriodically();
      stopFollowing = configStore.onChange(() => enqueue(applyChange));
    },
    close(): void {
      clearInterval(refreshTimer);
      stopFollowing?.();
      sourceWatching.close();
    },
  };
}
