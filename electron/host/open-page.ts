/**
 * Opens the page of Gatehouse in the user's browser without its code in an argument list, which every user of the machine
 * can read: the browser gets a file that only this user can read, and the file redirects it.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Long enough for a browser to start. The code in the file is worthless once the page has used it. */
const fileLifetimeMs = 30_000;

/**
 * `open` gets the URL of the file. The file is removed after half a minute. One whose process ended sooner, so that the
 * browser could still read it, is removed the next time.
 */
export async function openPage(
  dataDir: string,
  pageUrl: string,
  open: (fileUrl: string) => Promise<void>,
): Promise<void> {
  const run = join(dataDir, 'run');
  for (const name of readdirSync(run))
    if (/^open-[0-9a-f]{16}\.html$/.test(name)) rmSync(join(run, name), { force: true });
  const file = join(run, `open-${randomBytes(8).toString('hex')}.html`);
  // The address is made by us of URL-safe characters, so it needs no escaping.
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Gatehouse</title>
<meta http-equiv="refresh" content="0;url=${pageUrl}"><a href="${pageUrl}">Open Gatehouse</a>\n`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  setTimeout(() => rmSync(file, { force: true }), fileLifetimeMs).unref();
  await open(pathToFileURL(file).href);
}
