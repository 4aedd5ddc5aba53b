/** The destinations that the user has allowed. A standing permission covers only calls to these. */
import { randomUUID } from 'node:crypto';
import type { ConfiguredDestination, Destination, GrantScope } from '../../../shared/model/question.ts';
import { changeSetting, type KnownDestination, type Store } from '../settings.ts';
import { siteOfPage } from './destinations/addresses.ts';
import { lifetimesMs } from './lifetimes.ts';

/** Who calls which server. */
export interface Between {
  server: string;
  caller: { id: string; name: string; identity?: string | undefined };
}

export type KnownDestinations = ReturnType<typeof createKnownDestinations>;

/** Hosts that a confined server may reach. No argument of a tool has one of these kinds. */
export const networkKind = 'network';
/** Hosts that may receive a secret of a confined server, such as `GITHUB_TOKEN@api.github.com:443/header:authorization`. */
export const secretKind = 'secret';
/** Folders that a confined server may read and change. */
export const filesKind = 'files';
export const kindsOfServers: readonly string[] = [networkKind, secretKind, filesKind];

/** More than a user would compare. Calls to further destinations ask each time. */
const maxPerServer = 500;
const maxKnown = 5_000;

/** `configured`: those of the config file. `onChange`: those of a session have changed, which are not stored. */
export function createKnownDestinations(
  store: Store,
  configured: () => readonly ConfiguredDestination[],
  onChange = () => {},
) {
  let ofSession: readonly KnownDestination[] = [];
  function setOfSession(next: readonly KnownDestination[]): void {
    ofSession = next;
    onChange();
  }
  const index = createIndex();
  const isLive = ({ expiresAt }: Known) => expiresAt === undefined || expiresAt > Date.now();
  const kept = () => store.get('knownDestinations').filter(isLive);
  const found = () => index([store.get('knownDestinations'), ofSession, configured()]);

  const isKnown = (between: Between, destination: Destination) =>
    namesOf(destination).some((name) =>
      found()
        .get(name)
        ?.some((known) => isFor(between, known) && isLive(known)),
    );

  function save(added: readonly KnownDestination[]): void {
    const before = kept();
    const room = new Map<string, number>();
    const next = added.filter(({ server }) => {
      const left = room.get(server) ?? maxPerServer - before.filter((known) => known.server === server).length;
      room.set(server, left - 1);
      return left > 0;
    });
    store.set('knownDestinations', [...before, ...next].slice(0, maxKnown));
  }

  return {
    isKnown,
    /** Those of the config file and of sessions, too, and expired ones, which `decide` ignores. */
    all: (): Known[] => [...store.get('knownDestinations'), ...ofSession, ...configured()],
    /** The destinations known for calls between these two. */
    of: (between: Between): Destination[] =>
      [...found().values()].flat().filter((known) => isFor(between, known) && isLive(known)),
    /** Allows the destinations for as long as a grant with this scope lasts. */
    add(between: Between, all: readonly Destination[], scope: GrantScope): void {
      if (scope === 'once') return;
      const { server, caller } = between;
      const isOfSession = scope === 'session' || caller.identity === undefined;
      const at = Date.now();
      const lifetimeMs = lifetimesMs[scope];
      const added = all
        .filter((destination) => !isKnown(between, destination))
        .map(
          ({ kind, value, tool }): KnownDestination => ({
            id: randomUUID(),
            server,
            kind,
            value,
            ...(tool !== undefined && { tool }),
            client: caller.name,
            ...(isOfSession ? { connection: caller.id, isOfSession } : { identity: caller.identity }),
            at,
            ...(lifetimeMs !== undefined && { expiresAt: at + lifetimeMs }),
          }),
        );
      if (isOfSession) setOfSession([...ofSession, ...added].slice(0, maxKnown));
      else if (added.length > 0) save(added);
    },
    /** Allows the destinations for every client, until the user forgets them. */
    addForAll(server: string, all: readonly Destination[]): void {
      const at = Date.now();
      const isNew = (destination: Destination) =>
        !kept().some((known) => known.server === server && isForAll(known) && nameOf(known) === nameOf(destination));
      save(all.filter(isNew).map((destination) => ({ id: randomUUID(), client: '', server, at, ...destination })));
    },
    list: (): KnownDestination[] => [...ofSession, ...kept()],
    /** Returns what was forgotten; undefined if it was not known. */
    forget(id: string): KnownDestination | undefined {
      const isIt = (known: KnownDestination) => known.id === id;
      const forgotten = [...ofSession, ...kept()].find(isIt);
      setOfSession(ofSession.filter((known) => !isIt(known)));
      if (forgotten && !forgotten.isOfSession)
        changeSetting(store, 'knownDestinations', (all) => all.filter((known) => !isIt(known)));
      return forgotten;
    },
    /** Ends what is known for a session with this server. */
    onServerForgotten(server: string): void {
      setOfSession(ofSession.filter((known) => known.server !== server));
    },
    /** Ends what is limited to this connection. */
    onClientDisconnected(id: string): void {
      setOfSession(ofSession.filter(({ connection }) => connection !== id));
    },
  };
}

/** The user's choice, or one from the config file. */
export type Known = ConfiguredDestination & Pick<Partial<KnownDestination>, 'identity' | 'connection' | 'expiresAt'>;

const isForAll = ({ identity, connection }: Known) => identity === undefined && connection === undefined;

export const isFor = ({ server, caller }: Between, known: Known): boolean =>
  known.server === server &&
  (isForAll(known) ||
    (known.connection === undefined ? known.identity === caller.identity : known.connection === caller.id));

export const nameOf = ({ tool = '', kind, value }: Destination) => `${tool}\n${kind}\n${value}`;

/**
 * The names under which a destination may be known: its own, that of the domain of a mail address, that of the site of a web
 * address, and those of the places around a place.
 */
export function namesOf(destination: Destination): string[] {
  const { kind, value } = destination;
  const domain = domainOf(destination);
  const site = kind === 'web' ? (siteOfPage(value) ?? value) : undefined;
  const wider = [
    ...(domain === undefined ? [] : [{ ...destination, kind: 'domain', value: domain }]),
    ...(site === undefined ? [] : [{ ...destination, kind: siteKind, value: site }]),
    ...placesAround(destination).map((place) => ({ ...destination, value: place })),
  ];
  return [destination, ...wider].map(nameOf);
}

/** Every page of a site. */
export const siteKind = 'site';

/** The domain of a mail address; undefined if its mail server may send it on to an address within the address. */
export const domainOf = ({ kind, value }: Destination): string | undefined =>
  kind === 'email' && !/[%!@/:]/.test(value.slice(0, value.lastIndexOf('@')))
    ? value.slice(value.lastIndexOf('@') + 1)
    : undefined;

/** Places that are in another one: if that is known, they are. */
const innerPlace = /^(?:repo|repository|project|schema) /;

/** The places that contain a place, as `owner ada` contains `owner ada, repo engine`. */
function placesAround({ kind, value, tool }: Destination): string[] {
  if (kind !== 'place' || tool !== undefined || value.includes('"')) return [];
  const parts = value.split(', ');
  const inner = parts.filter((part) => innerPlace.test(part));
  const left = (removed: readonly string[]) => parts.filter((part) => !removed.includes(part)).join(', ');
  return [...inner.map((part) => left([part])), left(inner)].filter((place) => place !== '' && place !== value);
}

/** Finds destinations by name. Builds the index again only if a list is another than at the last call. */
function createIndex() {
  let lists: readonly (readonly Known[])[] = [];
  let byName = new Map<string, Known[]>();
  return (next: readonly (readonly Known[])[]): Map<string, Known[]> => {
    if (next.some((list, at) => list !== lists[at])) {
      lists = next;
      byName = Map.groupBy(next.flat(), nameOf);
    }
    return byName;
  };
}
