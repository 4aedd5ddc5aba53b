/** Commands for Core itself: status, diagnostics, pausing, user settings and routing. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { appNames } from '../clients/known-clients.ts';
import { changeUserSettings, settingsInConfig } from '../config/user-settings.ts';
import { diagnosticsText } from './diagnostics/diagnostics.ts';
import { installation } from './diagnostics/installation.ts';
import { shownServer } from './server-commands.ts';
import type { CommandServices } from './services.ts';

export function coreCommands(services: CommandServices) {
  const { host, events, stores, servers, pause, knownTools, config } = services;
  const { vault } = stores;
  return {
    'core.status': () => {
      const tools = knownTools.size();
      const configured = servers.configs().length;
      return {
        version: host.version,
        paused: servers.isPaused,
        pausedUntil: pause.until,
        standstill: servers.standstill(),
        startedAt: services.startedAt,
        dataDir: host.dataDir,
        homeDir: host.homeDir,
        bridge: host.bridge,
        vault: vault.view(),
        network: services.network.view(),
        http: services.http(),
        clients: services.clients.views(),
        parkedCalls: services.parkedCalls(),
        discovery: services.configStore.discovery(),
        servers: configured,
        tools: tools.all,
        enabledTools: tools.enabled,
        setupStep: host.store.get('setupStep') ?? (configured === 0 ? 'welcome' : 'done'),
        folder: services.configStore.state.folder,
      };
    },
    'core.diagnostics': async () => {
      const views = servers.configs().map((config) => shownServer(services, config));
      return { text: await diagnosticsText(services, views) };
    },
    'core.installation': () => installation(services),
    'core.pause': ({ paused, minutes }) => pause.set(paused, minutes),
    'clients.names': appNames,
    'clients.setRouting': ({ client, routing }) => {
      const { [client]: _before, ...others } = host.store.get('routing');
      host.store.set('routing', routing === null ? others : { ...others, [client]: routing });
      events.emit('clients.changed', {});
    },
    'clients.setBatch': ({ client, enabled }) => services.batch.choose(client, enabled),
    'settings.show': () => ({ enableRequests: host.store.get('enableRequests'), ...settingsInConfig(config()) }),
    'settings.save': async ({ enableRequests, ...change }) => {
      const { store } = host;
      const settings = changeUserSettings(services.configStore.state.config, store.get('userSettings'), change);
      store.set('userSettings', settings);
      if (enableRequests !== undefined) store.set('enableRequests', enableRequests);
      if (change.historyMonths !== undefined || change.resultDays !== undefined) await services.applier.setRetention();
      events.emit('core.changed', {});
    },
  } satisfies Partial<CommandHandlers>;
}
