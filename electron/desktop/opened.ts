/**
 * Bundles and links that the operating system opens in the app. A valid one becomes a route of the window, which shows the
 * installation before anything is installed.
 */

import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { addressOf } from '../../shared/address.ts';
import { routeOfLink } from './open-link.ts';

export const linkScheme = 'toolkeep';

/** The route of the first bundle or link among the arguments of the app. Everything else is ignored. */
export function routeOfArguments(args: readonly string[], folder: string): string | undefined {
  for (const arg of args) {
    if (arg.startsWith('-')) continue;
    const route = routeOfLink(arg) ?? routeOfFile(arg, folder);
    if (route !== undefined) return route;
  }
  return undefined;
}

/** macOS reports opened files and links as events, even before the app is ready. */
export function followOpened(open: (route: string) => void): void {
  const follow = (event: { preventDefault(): void }, route: string | undefined) => {
    event.preventDefault();
    if (route !== undefined) open(route);
  };
  app.on('open-file', (event, file) => follow(event, routeOfBundle(file)));
  app.on('open-url', (event, url) => follow(event, routeOfLink(url)));
}

/** Linux desktops pass a local file as a URI (`file:///…`). */
function routeOfFile(arg: string, folder: string): string | undefined {
  try {
    return routeOfBundle(arg.startsWith('file:///') ? fileURLToPath(arg) : resolve(folder, arg));
  } catch {
    return undefined;
  }
}

function routeOfBundle(file: string): string | undefined {
  if (!/\.(?:mcpb|dxt)$/i.test(file)) return undefined;
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? addressOf('bundle', file) : undefined;
}
