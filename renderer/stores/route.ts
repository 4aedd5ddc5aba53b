/** Where the person is, kept in the part of the address after `#`, so that back, forward and reload work. */
import { useSyncExternalStore } from 'react';

export const places = ['servers', 'tools', 'rules', 'import', 'clients', 'history', 'settings', 'question'] as const;
export type Place = (typeof places)[number];

export interface Route {
  place: Place;
  /** The rest of the path, decoded. */
  parts: string[];
}

export function parseRoute(hash: string): Route {
  const [place, ...parts] = hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(safeDecode);
  return { place: places.find((known) => known === place) ?? 'servers', parts };
}

export const hrefOf = (place: Place, ...parts: string[]): string =>
  `#/${[place, ...parts].map(encodeURIComponent).join('/')}`;

export function go(place: Place, ...parts: string[]): void {
  location.hash = hrefOf(place, ...parts);
}

/** Moves without a new step for "back", for instance while arrowing through a list. */
export function goQuietly(place: Place, ...parts: string[]): void {
  history.replaceState(null, '', hrefOf(place, ...parts));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
