/** Approvals that outlive their call: bound to a client, to the tool's definition, and to the user's conditions. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Condition, GrantScope } from '../../../shared/model/question.ts';
import type { DestinationsPolicy } from '../../../shared/model/tool.ts';
import { changeSetting, type Grant, type Store } from '../settings.ts';
import { type Arguments, namesIn, stringsIn } from './argument-values.ts';
import { lifetimesMs } from './lifetimes.ts';

/** The call that a grant may cover. */
export interface Grantable {
  server: string;
  tool: string;
  fingerprint: string;
  /** Undefined for every client. */
  caller: { id: string; name: string; identity?: string | undefined } | undefined;
  arguments: Arguments;
  /** The client's `_meta`. */
  meta?: Arguments;
  /** The choices that a grant keeps; undefined if they cannot be checked. */
  choices: Condition[] | undefined;
  /** `acts`: a grant for the server's tools except dangerous ones covers the call too. */
  covers: 'tool' | 'acts';
}

export type Grants = ReturnType<typeof createGrants>;

/** `onChange`: permissions of a session have changed, which are not stored. */
export function createGrants(store: Store, onChange = () => {}) {
  let ofSession: Grant[] = [];
  function setOfSession(next: Grant[]): void {
    ofSession = next;
    onChange();
  }
  // Any client with the same name could use a grant that is bound only to a client's name.
  const isBound = (grant: Grant) =>
    grant.client === '' || grant.identity !== undefined || grant.connection !== undefined;
  const isLive = (grant: Grant) => isBound(grant) && (grant.expiresAt === undefined || grant.expiresAt > Date.now());
  const kept = () => store.get('grants').filter(isLive);
  const list = () => [...ofSession, ...kept()];

  return {
    list,
    /** Including expired ones, which `decide` ignores. */
    all: (): Grant[] => [...ofSession, ...store.get('grants')],
    add(call: Grantable, scope: GrantScope, conditions: Condition[], destinations: DestinationsPolicy): void {
      const { server, tool, fingerprint, caller, covers, choices } = call;
      // Any client could use a grant that lasts longer than the session of a client without an entry or token.
      const isUnbound = caller !== undefined && caller.identity === undefined;
      if (scope === 'once' || (isUnbound && scope !== 'session')) return;
      if (covers === 'tool' && choices === undefined) return;
      const grantedAt = Date.now();
      const lifetimeMs = lifetimesMs[scope];
      const grant: Grant = {
        id: randomUUID(),
        client: caller?.name ?? '',
        ...(caller?.identity !== undefined && { identity: caller.identity }),
        server,
        covers,
        tool: covers === 'acts' ? '' : tool,
        fingerprint: covers === 'acts' ? '' : fingerprint,
        conditions,
        ...(covers === 'tool' && choices?.length && { choices }),
        scope,
        grantedAt,
        ...(destinations === 'known' && { destinations }),
        ...(conditions.length > 0 && { argumentNames: everyName(call) ?? [] }),
        ...(lifetimeMs !== undefined && { expiresAt: grantedAt + lifetimeMs }),
      };
      if (scope === 'session') setOfSession([...ofSession, { ...grant, connection: caller?.id ?? '' }]);
      else store.set('grants', [...kept(), grant]);
    },
    /** Returns the revoked grant; undefined if there is none. */
    revoke(id: string): Grant | undefined {
      const found = list().find((grant) => grant.id === id);
      setOfSession(ofSession.filter((grant) => grant.id !== id));
      if (store.get('grants').some((grant) => grant.id === id))
        changeSetting(store, 'grants', (grants) => grants.filter((grant) => grant.id !== id));
      return found;
    },
    /** Limits a grant for any destination to known ones. */
    limit(id: string): void {
      const limited = (grant: Grant): Grant => (grant.id === id ? { ...grant, destinations: 'known' } : grant);
      setOfSession(ofSession.map(limited));
      store.set('grants', kept().map(limited));
    },
    /** Ends the session grants for this server. */
    onServerForgotten(server: string): void {
      setOfSession(ofSession.filter((grant) => grant.server !== server));
    },
    /** Ends the session grants of this connection. */
    onClientDisconnected(id: string): void {
      setOfSession(ofSession.filter((grant) => grant.connection !== id));
    },
  };
}

/** Whether the grant is for this server, tool, definition, client and these choices. */
export const fitsGrant = (grant: Grant, call: Grantable): boolean =>
  grant.server === call.server &&
  (grant.covers === 'acts'
    ? call.covers === 'acts'
    : grant.tool === call.tool &&
      grant.fingerprint === call.fingerprint &&
      call.choices !== undefined &&
      isDeepStrictEqual(grant.choices ?? [], call.choices)) &&
  isFor(grant, call.caller);

function isFor({ client, identity, connection }: Grant, caller: Grantable['caller']): boolean {
  if (connection !== undefined) return connection === caller?.id;
  return identity === undefined ? client === '' : identity === caller?.identity;
}

/** Whether a limited grant covers all argument names. A new argument could select another place or action. */
export function coversNames(grant: Grant, call: Grantable): boolean {
  if (grant.conditions.length === 0) return true;
  const approved = new Set(grant.argumentNames);
  return everyName(call)?.every((name) => approved.has(name)) ?? false;
}

function everyName({ arguments: args, meta }: Grantable): string[] | undefined {
  const names = namesIn(args);
  const ofMeta = namesIn({ _meta: meta ?? {} });
  return names && ofMeta && [...names, ...ofMeta.slice(1)];
}

/** The arguments plus the strings of `_meta`: an address or a path in either can determine where a call goes. */
export function everyValue({ arguments: args, meta }: Grantable): Arguments {
  if (!meta) return args;
  let name = '_meta';
  while (Object.hasOwn(args, name)) name += '_';
  // A key such as `example.com/id` is not a path. Metadata that is too deep to check is kept, so that the checks fail.
  const values = stringsIn(meta)?.flatMap(({ value, isKey }) => (isKey ? [] : [value])) ?? meta;
  return { ...args, [name]: values };
}
