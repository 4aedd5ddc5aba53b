/**
 * Offers the user the tools that a call itself added to its server, all in one question. Servers that enable their tools on
 * demand would otherwise need the window for each of them. The call returns its result without waiting for the answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Events } from '../events.ts';
import type { EnableRequests } from '../policy/enable-requests.ts';
import type { Servers } from '../servers/servers.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { RunningCall } from './step.ts';

export interface AddedToolsOptions {
  events: Events;
  servers: Pick<Servers, 'relisted'>;
  knownTools: Pick<KnownTools, 'held'>;
  enableRequests: EnableRequests;
}

/** Milliseconds that a call waits for the new list. */
const listMs = 5_000;

/** Sets `addedTools` of a call during which its server announces a change of its lists. */
export function watchAddedTools(options: AddedToolsOptions, callsOf: (server: string) => RunningCall[]): void {
  const { events, servers, knownTools, enableRequests } = options;
  const newTools = (server: string) => knownTools.held(server).filter(({ held }) => held?.reason === 'new');

  /** Resolves with a note for the agent; undefined if the call added no tool. */
  async function offer({ client, server, tool }: RunningCall): Promise<string | undefined> {
    const before = new Set(newTools(server).map(({ name }) => name));
    await Promise.race([servers.relisted(server), sleep(listMs, undefined, { ref: false })]);
    const added = newTools(server).filter(({ name, findings }) => !before.has(name) && findings.length === 0);
    if (added.length === 0) return undefined;
    enableRequests.offer({ caller: client, server, tool }, added).catch(() => undefined);
    const [tools, them] = added.length === 1 ? ['1 tool', 'it'] : [`${added.length} tools`, 'them'];
    return `Toolkeep: the call added ${tools} to "${server}", held until the user accepts ${them}.`;
  }

  events.on('server.listChanged', ({ server }) => {
    const calls = callsOf(server);
    const [call] = calls;
    // With calls of several clients, it is unknown whose call it was.
    if (!call || calls.some(({ client }) => client.id !== call.client.id)) return;
    call.addedTools ??= offer(call).catch(() => undefined);
  });
}
