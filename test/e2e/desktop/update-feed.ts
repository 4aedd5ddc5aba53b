/** A feed of updates on 127.0.0.1, and the packaged app that reads it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Feed {
  readonly url: string;
  /** The paths that were requested, without the query. */
  readonly requests: string[];
  /** The IDs of installations in the requests. */
  readonly ids: Set<unknown>;
  /** Publishes a version; `sha512` replaces the checksum of the content. */
  publish(release: { version: string; file: string; content: string; sha512?: string }): void;
  close(): Promise<void>;
}

/** Serves what electron-builder uploads: the feeds of Linux and macOS, and the package. */
export async function startFeed(): Promise<Feed> {
  const files = new Map<string, string>();
  const requests: string[] = [];
  const ids = new Set<unknown>();
  const server = createServer(({ url = '', headers }, response) => {
    const path = url.replace(/\?.*/, '');
    requests.push(path);
    ids.add(headers['x-user-staging-id']);
    const content = files.get(path);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const suffix = process.arch === 'x64' ? '' : `-${process.arch}`;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    ids,
    publish({ version, file, content, sha512 = createHash('sha512').update(content).digest('base64') }) {
      const info = [`version: ${version}`, 'files:', `  - url: ${file}`, `    sha512: ${sha512}`];
      const text = [...info, `    size: ${content.length}`, ''].join('\n');
      for (const feed of [`/latest-linux${suffix}.yml`, '/latest-mac.yml']) files.set(feed, text);
      files.set(`/${file}`, content);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface InstalledApp {
  /** The folder with the AppImage, or of the package. */
  readonly folder: string;
  readonly appImage: string;
  /** The environment variables with which the stand-in behaves as this installed app. */
  readonly env: Record<string, string>;
  remove(): void;
}

/**
 * Installs the app with a feed. `appimage`: as a mounted AppImage; `deb`: in a folder in /opt; `unpacked`: in the same folder,
 * but started by the AppImage of another program.
 */
export function installApp(format: 'appimage' | 'deb' | 'unpacked', feedUrl: string | undefined): InstalledApp {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-updated-'));
  const mount = join(folder, 'mount');
  const resources = join(mount, 'resources');
  mkdirSync(join(resources, 'app.asar'), { recursive: true });
  writeFileSync(join(mount, 'toolkeep-app'), '');
  if (feedUrl !== undefined)
    writeFileSync(
      join(resources, 'app-update.yml'),
      `provider: generic\nurl: ${feedUrl}\nupdaterCacheDirName: toolkeep-updater\n`,
    );
  if (format === 'deb') writeFileSync(join(resources, 'package-type'), 'deb');
  const appImage = join(folder, format === 'appimage' ? 'Toolkeep-0.1.0-linux-x64.AppImage' : 'Other.AppImage');
  writeFileSync(appImage, 'the installed version');
  return {
    folder,
    appImage,
    env: {
      TOOLKEEP_STAND_IN_PACKAGED: mount,
      TOOLKEEP_STAND_IN_BINARY: join(mount, 'toolkeep-app'),
      APPIMAGE: appImage,
      APPDIR: format === 'appimage' ? mount : join(folder, 'mount of the other program'),
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}
