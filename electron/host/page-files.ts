/** The files of the built renderer, looked up by exact path; never a file outside its folder. */
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { exists } from '../core/files/exists.ts';

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
  /** The `content-type` header. */
  type: string;
  /** True if the file name contains a content hash, so that browsers may cache the file indefinitely. */
  immutable: boolean;
}

export type PageFiles = ReturnType<typeof openPageFiles>;

/** Looks up paths in a listing of `folder`, so dots and encodings cannot escape it. */
export function openPageFiles(folder: string) {
  const list = async () => {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
  };
  let listing = list();

  async function lookUp(path: string): Promise<string | undefined> {
    const known = (await listing).get(path);
    if (known && (await exists(known))) return known;
    // Read the folder again, because a rebuild gives assets new names.
    listing = list();
    return (await listing).get(path);
  }

  return {
    /** The file for a URL path; `/` returns index.html. */
    async find(pathname: string): Promise<PageFile | undefined> {
      const path = pathname === '/' ? '/index.html' : pathname;
      const file = await lookUp(path);
      if (!file) return undefined;
      const type = types[extname(file)] ?? 'application/octet-stream';
      return { file, type, immutable: path.startsWith('/assets/') };
    },
  };
}

export const cacheControl = ({ immutable }: PageFile) =>
  immutable ? 'private, max-age=31536000, immutable' : 'no-store';
