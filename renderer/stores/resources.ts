/** The tables that the views read from Core. Each loads while a view shows it, and again after the named events. */
import type { Link } from './link.ts';
import { createResource } from './resource.ts';

export const createResources = (link: Link) => ({
  status: createResource(link, () => link.call('core.status'), [
    'core.changed',
    'clients.changed',
    'servers.changed',
    'tools.changed',
    'rules.changed',
  ]),
  servers: createResource(link, () => link.call('servers.list'), ['servers.changed', 'tools.changed', 'rules.changed']),
  /** Servers that can be put back. */
  removedServers: createResource(link, () => link.call('servers.removed'), ['servers.changed']),
  config: createResource(link, async () => {
    const [shown, { problems, ...validation }] = await Promise.all([
      link.call('config.show'),
      link.call('config.validate'),
    ]);
    // Leave out an untrusted folder: it is not a mistake in a file, and `attention` contains it.
    return {
      shown,
      validation: { ...validation, problems: problems.filter(({ code }) => code !== 'CONFIG_UNTRUSTED') },
    };
  }, ['config.changed']),
  settings: createResource(link, () => link.call('settings.show'), ['core.changed']),
  update: createResource(link, () => link.call('updates.show'), ['updates.changed']),
  installs: createResource(link, () => link.call('install.status'), [
    'import.changed',
    'clients.changed',
    'servers.changed',
    'core.changed',
  ]),
  /** Names of servers that appeared in clients' files since the last scan. */
  newServers: createResource(link, async () => {
    const { entries } = await link.call('import.plan', {});
    return entries.filter((entry) => entry.isUnseen && entry.state === 'new').map((entry) => entry.server.name);
  }, ['import.changed']),
  registries: createResource(link, () => link.call('registry.list'), ['registry.changed', 'config.changed']),
  /** The servers that came from a registry or a bundle, with their updates. */
  installed: createResource(link, () => link.call('registry.installed'), [
    'registry.changed',
    'servers.changed',
    'config.changed',
  ]),
  profiles: createResource(link, () => link.call('profiles.list'), ['core.changed', 'config.changed', 'tools.changed']),
  tokens: createResource(link, () => link.call('tokens.list'), ['core.changed', 'clients.changed']),
  /** A locked vault, failed servers, an untrusted folder, held tools and secrets in plain text. */
  attention: createResource(link, () => link.call('attention.list'), [
    'core.changed',
    'servers.changed',
    'tools.changed',
    'config.changed',
  ]),
  /** The changes to Toolkeep and to clients' files. */
  changes: createResource(link, () => link.call('changes.list'), ['changes.changed']),
  notifications: createResource(link, () => link.call('notifications.list'), ['notifications.changed']),
  /** The display names of known clients. */
  clientNames: createResource(link, () => link.call('clients.names'), []),
  activeCalls: createResource(link, () => link.call('calls.active'), ['calls.changed']),
  recentRecords: createResource(link, () => link.call('history.list', { limit: 30 }), ['calls.recorded']),
  activity: createResource(link, () => link.call('stats.activity', { days: 7 }), ['calls.recorded', 'tools.changed']),
});
