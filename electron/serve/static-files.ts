/** The built renderer as files over HTTP: only what lay in its folder is ever served, by exact path. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

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

export interface StaticFiles {
  answer(pathname: string, method: string, response: ServerResponse, headers: Record<string, string>): Promise<void>;
}

/** Paths are looked up in a listing of `folder`, so that no trick with dots or encodings leads out of it. */
export function openStaticFiles(folder: string): StaticFiles {
  const list = async () => {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
  };
  let listing = list();
  // A failed listing is told to whoever asks for a file, not to the process.
  listing.catch(() => undefined);

  async function find(pathname: string): Promise<string | undefined> {
    const known = (await listing.catch(() => undefined))?.get(pathname);
    if (known && (await isThere(known))) return known;
    // A rebuilt renderer has assets with new names.
    listing = list();
    return (await listing).get(pathname);
  }

  return {
    async answer(pathname, method, response, headers) {
      const file = await find(pathname === '/' ? '/index.html' : pathname).catch(() => undefined);
      if (!file) {
        response.writeHead(404, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
        response.end('There is nothing at this address.\n');
        return;
      }
      response.writeHead(200, {
        ...headers,
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        // Names in assets/ change with their content.
        'cache-control': pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store',
      });
      if (method === 'HEAD') response.end();
      else await pipeline(createReadStream(file), response).catch(() => response.destroy());
    },
  };
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
