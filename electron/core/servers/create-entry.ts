/** Creates the entry of a configured server: its handle, or the one of the plug-in that provides its tools. */

import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import type { Emit } from '../events.ts';
import { changedConnection } from '../plugins/connection-changes.ts';
import type { PluginSet } from '../plugins/plugins.ts';
import type { MayReach, OpenedFolders, ServerRequest } from '../types.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import { pluginServer } from './provider-server.ts';
import { createReport } from './sandbox/report.ts';
import type { Entry } from './server-entry.ts';
import type { ServerLogs } from './server-log.ts';
import { type StartContext, startOptions } from './start-options.ts';
import type { ServerHandle, ServerState } from './types.ts';
import { workingFolders } from './working-folders.ts';

export interface EntryOptions extends StartContext {
  plugins: PluginSet;
  /** Reports the progress of each discovery. */
  emit: Emit;
  /** Answers requests that a server sends while no client's call is running. */
  onServerRequest(
    name: string,
    request: ServerRequest,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> | undefined;
  /** Minimum log level for a legacy server. */
  logLevel(name: string): string | undefined;
  logs: ServerLogs;
  /** Asks the user whether a confined server may reach a host. */
  mayReach: MayReach;
  folders: OpenedFolders;
  /** Receives notifications for clients: resources/updated, elicitation/complete. */
  onNotification(name: string, method: string, params: Record<string, unknown>): void;
}

/** `previous` resolves when the last server of this name has stopped; until then, it may hold a lock or a port. */
export function createEntry(
  config: ServerConfig,
  { slug, previous }: { slug: string; previous: Promise<unknown> | undefined },
  options: EntryOptions,
  on: { state(entry: Entry, state: ServerState): void; listChanged(entry: Entry): void },
): Entry {
  const { plugins, host } = options;
  const { name, lifecycle } = config;
  const plugin = plugins.providers.find((one) => one.name === name);
  const provider = plugin && pluginServer(plugin, { log: (message) => host.log('warn', message), emit: options.emit });
  const report = createReport(() => on.state(entry, handle.state));
  async function change(connection: Connection): Promise<Connection> {
    const changed = await changedConnection(plugins.plugins, name, connection);
    entry.atStart = { notes: changed.notes, isListed: false };
    return changed.connection;
  }
  const handle: ServerHandle =
    provider ??
    createServerHandle(config, {
      ...startOptions(options, config, { previous, change }),
      idleTimeoutMs: lifecycle?.idleTimeoutMs ?? options.config().idleTimeoutMs,
      onState: (state) => on.state(entry, state),
      onNotification: (method, params) => {
        if (method.endsWith('/list_changed')) on.listChanged(entry);
        else options.onNotification(name, method, params);
      },
      onServerRequest: (request, signal) => options.onServerRequest(name, request, signal),
      logLevel: () => options.logLevel(name),
      log: options.logs.of(name),
      mayReach: (target) => options.mayReach(name, target),
      folders: {
        mayUse: (folder) => options.folders.mayUse(name, folder),
        allowed: () => options.folders.allowed(name),
      },
      report,
    });
  const entry: Entry = {
    config,
    slug,
    workingFolders: workingFolders(config),
    isRunning: provider !== undefined,
    isNeeded: false,
    isUnavailable: false,
    version: plugin && plugins.version,
    provider,
    listing: { phases: [] },
    handle,
    report,
    source: {
      server: config,
      start: (signal) => handle.start(signal),
      request: (request) => handle.request({ ...request, passive: true }),
    },
  };
  return entry;
}
