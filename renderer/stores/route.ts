/** The current route, kept in the URL fragment so that back, forward and reload work. */
import { useSyncExternalStore } from 'react';
import { addressOf } from '../../shared/address.ts';
import { decodedUri } from '../../shared/decoded-uri.ts';

export const views = [
  'home',
  'welcome',
  'servers',
  'tools',
  'rules',
  'import',
  'browse',
  'bundle',
  'clients',
  'history',
  'settings',
  'notifications',
  'question',
] as const;
export type View = (typeof views)[number];

export interface Route {
  view: View;
  /** True if the URL names no view because the window was just opened. */
  isDefault: boolean;
  /** The remaining path segments, decoded. */
  segments: string[];
}

export function parseRoute(hash: string): Route {
  const [view, ...segments] = hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodedUri);
  return { view: views.find((known) => known === view) ?? 'home', isDefault: view === undefined, segments };
}

export const hrefOf = (view: View, ...segments: string[]): string => addressOf(view, ...segments);

export function navigate(view: View, ...segments: string[]): void {
  location.hash = hrefOf(view, ...segments);
}

/** Changes the route without a new history entry, for example while moving through a list with the arrow keys. */
export function replaceRoute(view: View, ...segments: string[]): void {
  history.replaceState(null, '', hrefOf(view, ...segments));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
