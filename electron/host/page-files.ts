/** The files of the built renderer, for whoever shows the window: by exact path, never anything outside its folder. */
import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  file: string;
  /** For `content-type`. */
  type: string;
  /** Its name changes with its content, so it may be kept for ever. */
  immutable: boolean;
}

export interface PageFiles {
  /** The file at this path of a URL; `/` is the page itself. */
  find(pathname: string): Promise<PageFile | undefined>;
}

/** Paths are looked up in a listing of `folder`, so that no trick with dots or encodings leads out of it. */
export function openPageFiles(folder: string): PageFiles {
  const list = async () => {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
  };
  let listing = list();

  async function lookUp(path: string): Promise<string | undefined> {
    const known = (await listing).get(path);
    if (known && (await isThere(known))) return known;
    // A rebuilt renderer has assets with new names.
    listing = list();
    return (await listing).get(path);
  }

  return {
    async find(pathname) {
      const path = pathname === '/' ? '/index.html' : pathname;
      const file = await lookUp(path);
      if (!file) return undefined;
      const type = types[extname(file)] ?? 'application/octet-stream';
      return { file, type, immutable: path.startsWith('/assets/') };
    },
  };
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
