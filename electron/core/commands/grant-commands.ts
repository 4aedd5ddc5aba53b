/** Commands for grants, and for the destinations that the user has allowed. */
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { Destination } from '../../../shared/model/question.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { destinationsOf } from '../policy/destinations.ts';
import type { Grant } from '../settings.ts';
import type { CommandServices } from './services.ts';

const ninetyDaysMs = 90 * 86_400_000;
const maxUsed = 500;

export function grantCommands({ approvals, servers, stores, knownTools }: CommandServices) {
  const { known } = approvals;
  const serverOf = (name: string) => servers.config(name).name;

  function grantOf(id: string): Grant {
    const grant = approvals.grants().find((one) => one.id === id);
    if (!grant) throw fail('INPUT_INVALID', `There is no grant with the ID ${id}.`);
    return grant;
  }

  /** The destinations of a recorded call; none if its tool is gone or its arguments were shortened. */
  function destinationsIn(server: string, name: string, written: string): Destination[] {
    try {
      const args: unknown = JSON.parse(written);
      return isObject(args) ? destinationsOf(knownTools.find(server, name), args, undefined).all : [];
    } catch {
      return [];
    }
  }

  function usedWith({ server, tool, client, covers }: Grant): Destination[] {
    const from = Date.now() - ninetyDaysMs;
    const records = stores.history.list({ server, from, limit: Number.MAX_SAFE_INTEGER });
    const isAllowed = ({ kind, outcome }: (typeof records)[number]) =>
      kind === 'approval' && (outcome === 'allowed' || outcome === 'allowed-by-grant');
    const approved = new Set(records.filter(isAllowed).map(({ callId }) => callId));
    const used = records
      .filter((entry) => entry.kind === 'call' && entry.outcome === 'ok' && approved.has(entry.callId))
      .filter((entry) => (client === '' || entry.client === client) && (covers === 'acts' || entry.tool === tool))
      .flatMap((entry) => destinationsIn(server, entry.tool, entry.arguments));
    return [...new Map(used.map((one) => [JSON.stringify(one), one])).values()].slice(0, maxUsed);
  }

  return {
    'grants.list': () =>
      approvals.grants().map(({ fingerprint: _fingerprint, connection: _connection, ...grant }) => grant),
    'grants.allowActs': ({ server, destinations }) => approvals.allowActs(serverOf(server), destinations ?? 'known'),
    'grants.revoke': ({ id }) => approvals.revoke(id),
    'grants.destinations': () =>
      known.list().map(({ identity: _identity, connection: _connection, ...destination }) => destination),
    'grants.allowDestinations': ({ server, destinations }) => known.addForAll(serverOf(server), destinations),
    'grants.forget': ({ id }) => {
      if (!known.forget(id)) throw fail('INPUT_INVALID', `No allowed destination has the ID ${id}.`);
    },
    'grants.usedDestinations': ({ id }) => usedWith(grantOf(id)),
    'grants.limit': ({ id, destinations }) => {
      const { server, client, identity, connection, scope } = grantOf(id);
      approvals.limit(id);
      if (client === '') known.addForAll(server, destinations);
      else known.add({ server, caller: { id: connection ?? '', name: client, identity } }, destinations, scope);
    },
  } satisfies Partial<CommandHandlers>;
}
