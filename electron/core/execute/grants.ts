/** Approvals that outlive their call: bound to a client, to the tool's definition, and to what the person narrowed them to. */
import { randomUUID } from 'node:crypto';
import type { Condition, GrantScope } from '../../../shared/model.ts';
import type { Grant, Store } from '../host.ts';
import { holds } from './conditions.ts';

const minutesGrantMs = 15 * 60_000;

/** The call that a grant may cover. */
export interface Grantable {
  server: string;
  tool: string;
  fingerprint: string;
  caller: { id: string; name: string };
  arguments: Record<string, unknown>;
}

export interface Grants {
  cover(call: Grantable): Promise<boolean>;
  add(call: Grantable, scope: GrantScope, conditions: Condition[]): void;
  list(): Grant[];
  /** The grant that is no more; undefined when there was none. */
  revoke(id: string): Grant | undefined;
  /** Grants for the session of this connection end. */
  callerLeft(id: string): void;
}

export function createGrants(store: Store): Grants {
  let ofSession: Grant[] = [];
  const isLive = (grant: Grant) => grant.expiresAt === undefined || grant.expiresAt > Date.now();
  const kept = () => store.get('grants').filter(isLive);
  const fits = (grant: Grant, call: Grantable) =>
    grant.server === call.server &&
    grant.tool === call.tool &&
    grant.fingerprint === call.fingerprint &&
    grant.client === call.caller.name &&
    (grant.connection === undefined || grant.connection === call.caller.id);
  const list = () => [...ofSession, ...kept()];

  return {
    list,
    async cover(call) {
      for (const grant of list()) if (fits(grant, call) && (await holds(grant.conditions, call.arguments))) return true;
      return false;
    },
    add({ server, tool, fingerprint, caller }, scope, conditions) {
      if (scope === 'once') return;
      const grantedAt = Date.now();
      const grant: Grant = {
        id: randomUUID(),
        client: caller.name,
        ...{ server, tool, fingerprint, conditions, scope, grantedAt },
        ...(scope === 'minutes' && { expiresAt: grantedAt + minutesGrantMs }),
      };
      if (scope === 'session') ofSession.push({ ...grant, connection: caller.id });
      else store.set('grants', [...kept(), grant]);
    },
    revoke(id) {
      const found = list().find((grant) => grant.id === id);
      ofSession = ofSession.filter((grant) => grant.id !== id);
      if (store.get('grants').some((grant) => grant.id === id))
        store.set(
          'grants',
          store.get('grants').filter((grant) => grant.id !== id),
        );
      return found;
    },
    callerLeft(id) {
      ofSession = ofSession.filter((grant) => grant.connection !== id);
    },
  };
}
