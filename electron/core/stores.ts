/** Opens everything that Core keeps on disk. */
import { join } from 'node:path';
import { limits } from '../../shared/limits.ts';
import type { Config } from './config/schema.ts';
import type { Events } from './events.ts';
import { openChanges } from './history/changes.ts';
import { openHistory } from './history/history.ts';
import { openNotifications } from './history/notifications.ts';
import { openResults } from './history/results.ts';
import type { Host } from './host.ts';
import { titledObjectsIn } from './policy/titles.ts';
import { createBundleFolders } from './registry/bundle-folders.ts';
import { finishInstallations } from './registry/journal.ts';
import { openFeedback } from './search/feedback/feedback.ts';
import { createSearch } from './search/search.ts';
import { createVectorStore } from './search/vector-store.ts';
import { findBuiltInModel } from './search/vectors/vectors.ts';
import { redactText } from './secrets/redact.ts';
import { openVault } from './secrets/vault.ts';
import { deleteRemovedFolders } from './servers/kept-folders.ts';
import { openSignIns } from './servers/oauth/oauth.ts';
import { openCatalog } from './tools/catalog/catalog.ts';
import { openPins } from './tools/pins.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

export async function openStores(host: Host, events: Events, config: () => Config) {
  const data = (name: string) => join(host.dataDir, name);
  const warn = (message: string) => host.log('warn', message);
  const stateChanged = () => events.emit('state.changed', {});
  const vault = await openVault(host);
  await finishInstallations(host, vault);
  await deleteRemovedFolders(host);
  const bundleFolders = createBundleFolders(host, () => [
    ...host.store.get('servers'),
    ...host.store.get('removedServers'),
    ...config().servers,
  ]);
  // A killed Core may have left unneeded folders.
  bundleFolders.clean();
  const pinsOpened = openPins(data('pins.json'), stateChanged);
  const [signIns, catalog, pins, history, results, notifications, changes] = await Promise.all([
    openSignIns(host),
    openCatalog(config().cache.enabled ? data('catalog.json') : undefined, {
      ttlMs: () => config().cache.ttl * 1000,
      onWarning: warn,
      onChange: stateChanged,
    }),
    pinsOpened,
    openHistory(data('history'), (entry) => events.emit('calls.recorded', entry), vault.redact),
    openResults(data('results'), titledObjectsIn),
    openNotifications(data('notifications.json'), () => events.emit('notifications.changed', {})),
    openChanges({
      file: data('changes.json'),
      store: host.store,
      pins: pinsOpened,
      redact: (text) => redactText(vault.redact(text)),
      onChange: () => events.emit('changes.changed', {}),
    }),
  ]);
  const { vectors, index, createIndex } = openSearch(data, warn, history.usage);
  const feedback = await openFeedback(data('search-feedback.json'), index, redactText);
  return {
    vault,
    bundleFolders,
    signIns,
    catalog,
    pins,
    history,
    results,
    notifications,
    changes,
    index,
    createIndex,
    feedback,
    async close() {
      await bundleFolders.close();
      await Promise.allSettled([catalog, pins, feedback, vectors].map((store) => store.close()));
      // Close the notifications last: recording a call emits an event, which may add one.
      await Promise.all([history.flush(), results.flush()]);
      await Promise.allSettled([notifications.close(), changes.close()]);
    },
  };
}

/** The tools' index; `createIndex` creates an index of other items with the same model. */
function openSearch(data: (name: string) => string, warn: (message: string) => void, usage: (key: string) => number) {
  const vectors = createVectorStore(data('search-vectors.json'));
  let encoder: ReturnType<typeof openEncoder> | undefined;
  async function openEncoder() {
    const found = await findBuiltInModel();
    if (found?.problem) warn(`Keyword search only: ${found.problem}`);
    return found?.encoder;
  }
  const loadEncoder = () => {
    encoder ??= openEncoder();
    return encoder;
  };
  const index = createSearch({
    usage,
    vectors,
    async loadEncoder() {
      await vectors.load();
      return loadEncoder();
    },
  });
  const maxTerms = limits.registry.indexedWords;
  const createIndex = () => createSearch({ loadEncoder, maxTerms });
  return { vectors, index, createIndex };
}
