/** Commands that import servers from clients' config files: plan, then apply. */
import { fail } from '../../../shared/failure.ts';
import type { ImportEntry } from '../../../shared/model/import.ts';
import { strictSandbox } from '../../../shared/model/sandbox.ts';
import type { Origin, ServerConfig } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { createSlices } from '../async/slices.ts';
import { filesOfUser, planImport } from '../clients/import/import.ts';
import { emptiedFiles } from '../clients/install/install.ts';
import { serversInText } from '../clients/snippet.ts';
import { moveAllToVault, redactServer, referencesToInputs, serversWithPlainSecrets } from '../secrets/vault.ts';
import { confineNew } from '../servers/new-servers.ts';
import { changeSetting } from '../settings.ts';
import { endDecisions, endNamesakes } from './end-decisions.ts';
import type { CommandServices } from './services.ts';

/** Only the user's own files may choose to get the user's environment. */
function withMinimalEnvironment(server: ServerConfig): ServerConfig {
  const { connection } = server;
  return connection.type === 'stdio' ? { ...server, connection: { ...connection, environment: 'minimal' } } : server;
}

/** Without what the author of a file may not choose: the environment, the user's values, and how little it is confined. */
function ofStranger({ sandbox, ...server }: ServerConfig): ServerConfig {
  const limits = strictSandbox(sandbox);
  return withMinimalEnvironment(referencesToInputs({ ...server, ...(limits !== undefined && { sandbox: limits }) }));
}

export function importCommands(services: CommandServices) {
  const { host, servers } = services;
  const { vault } = services.stores;
  const plan = ({ sources, folder = host.cwd }: { sources?: string[] | undefined; folder?: string | undefined } = {}) =>
    planImport({ ...host, cwd: folder }, { ...(sources && { sources }), known: servers.configs() });
  const newIn = async () => (await plan()).entries.filter(({ state }) => state === 'new').map(({ id }) => id);
  /** Marks entries with these ids as seen; entries that appear later are unseen. */
  const remember = (ids: string[]) => host.store.set('seenImports', ids);

  /** The servers of the last import that still exist. */
  function lastImported(): ServerConfig[] {
    const last = host.store.get('imports').at(-1);
    return last ? host.store.get('servers').filter(({ name }) => last.servers.includes(name)) : [];
  }

  /** Refuses to remove servers that were moved to Toolkeep, because no client's file contains them anymore. */
  function refuseToLose(taken: ServerConfig[]): void {
    const emptied = emptiedFiles(host);
    const emptiedBy = ({ source, file }: Origin) =>
      emptied.find(({ client, file: from }) => client === source && from === file);
    const lost = taken.filter(({ origins = [] }) => origins.length > 0 && origins.every(emptiedBy));
    const [first] = lost.flatMap(({ origins = [] }) => origins.flatMap((origin) => emptiedBy(origin) ?? []));
    if (!first) return;
    const names = lost.map(({ name }) => name).join(', ');
    throw fail(
      'INPUT_INVALID',
      `The file of ${first.app} no longer contains ${names}, so undoing the import would delete the only copy.`,
      {
        file: first.file,
        hint: `First restore the client's file: \`toolkeep undo ${first.client}\`.`,
      },
    );
  }

  return {
    'import.plan': async ({ sources, folder }) => {
      const { files, entries } = await plan({ sources, folder });
      const seen = new Set(host.store.get('seenImports'));
      const hasSeenPlan = seen.size > 0 || host.store.get('imports').length > 0;
      const rest = createSlices();
      const shown: ImportEntry[] = [];
      for (const entry of entries) {
        await rest();
        const isUnseen = hasSeenPlan && entry.state === 'new' && !seen.has(entry.id);
        shown.push({ ...entry, server: redactServer(entry.server), ...(isUnseen && { isUnseen }) });
      }
      // UIs receive redacted entries; `import.apply` plans again.
      return {
        files,
        entries: shown,
        lastImport: lastImported().map(({ name }) => name),
      };
    },
    'import.parse': ({ text }) => {
      const taken = servers.configs().map(({ name }) => name);
      // The author of the text may not choose which of the user's values the server gets.
      const found = serversInText(text, taken).map((server) => withMinimalEnvironment(referencesToInputs(server)));
      return { servers: found };
    },
    'import.apply': async ({ entries, sources, folder, moveSecrets }) => {
      const wanted = new Set(entries);
      const taken = (await plan({ sources, folder })).entries.filter(
        (entry) => wanted.has(entry.id) && entry.state === 'new',
      );
      const ofUser = await filesOfUser({ ...host, cwd: folder ?? host.cwd });
      const given = await Promise.all(
        taken.map(async ({ server, origins, missing }) => ({
          ...(origins.every(({ file = '' }) => ofUser.has(file))
            ? referencesToInputs(server, { keepVariables: true })
            : await confineNew(ofStranger(server), services)),
          origins,
          enabled: server.enabled && missing === undefined,
        })),
      );
      const { servers: fresh, ...secrets } = moveSecrets
        ? await moveAllToVault(given, vault)
        : { servers: given, moved: [], plain: serversWithPlainSecrets(given) };
      const imported = fresh.map(({ name }) => name);
      endNamesakes(services, imported);
      changeSetting(host.store, 'servers', (own) => [...own, ...fresh]);
      await services.applier.reconfigure();
      if (imported.length > 0)
        changeSetting(host.store, 'imports', (all) => [...all, { at: Date.now(), servers: imported }].slice(-20));
      remember(await newIn());
      for (const { name, enabled } of fresh) if (enabled) servers.refresh(name).catch(() => undefined);
      services.events.emit('import.changed', {});
      return { imported, ...secrets };
    },
    'import.undo': async () => {
      const imports = host.store.get('imports');
      if (imports.length === 0) throw fail('INPUT_INVALID', 'Nothing was imported, so there is nothing to undo.');
      const taken = lastImported();
      refuseToLose(taken);
      const removed = taken.map(({ name }) => name);
      changeSetting(host.store, 'servers', (all) => all.filter(({ name }) => !removed.includes(name)));
      for (const name of removed) endDecisions(services, name);
      host.store.set('imports', imports.slice(0, -1));
      await services.applier.reconfigure();
      // The user has just removed these servers, so do not announce them as new.
      remember(await newIn());
      services.events.emit('import.changed', {});
      return { removed };
    },
    'import.dismiss': async () => {
      remember(await newIn());
      services.events.emit('import.changed', {});
    },
  } satisfies Partial<CommandHandlers>;
}
