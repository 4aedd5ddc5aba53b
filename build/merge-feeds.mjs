/**
 * `node build/merge-feeds.mjs FROM TO`: collects the packages of all machines for one release. electron-builder gives the feeds
 * of both architectures of macOS and Windows the same name (`latest-mac.yml`), so their lists of files are joined.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'yaml';

const isFeed = (name) => /^latest(-[\w-]+)?\.yml$/.test(name);
/** Files in which electron-builder describes the build. */
const isNote = (name) => /^builder-/.test(name);

/** Copies all files below `from` into `to`. Throws if two feeds of the same name have different versions. */
export function mergeFeeds(from, to) {
  mkdirSync(to, { recursive: true });
  const feeds = new Map();
  const entries = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of entries.sort((a, b) => (a.parentPath < b.parentPath ? -1 : 1))) {
    const file = join(parentPath, name);
    if (isNote(name)) continue;
    if (!isFeed(name)) {
      copyFileSync(file, join(to, basename(file)));
      continue;
    }
    const feed = parse(readFileSync(file, 'utf8'));
    const known = feeds.get(name);
    if (known && known.version !== feed.version)
      throw new Error(`${name} has the versions ${known.version} and ${feed.version}.`);
    feeds.set(name, known ? { ...known, files: [...known.files, ...feed.files] } : feed);
  }
  for (const [name, feed] of feeds) writeFileSync(join(to, name), stringify(feed));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) mergeFeeds(process.argv[2], process.argv[3]);
