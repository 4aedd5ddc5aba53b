/**
 * Opens Toolkeep's page in the user's browser without exposing its code in an argument list, which every user of the
 * machine can read. The browser opens a file that only this user can read, and the file redirects to the page.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Milliseconds; long enough for a browser to start. The code in the file is useless after the page has used it. */
const fileLifetimeMs = 30_000;

/**
 * Calls `open` with the file's URL and removes the file after half a minute. A file left by a process that exited
 * sooner is removed the next time. On Linux, a browser from a snap reads no hidden folder and no /tmp, so the file is directly in
 * `home`.
 */
export async function openPage(
  dataDir: string,
  pageUrl: string,
  open: (fileUrl: string) => Promise<void>,
  home = process.platform === 'linux' ? homedir() : undefined,
): Promise<void> {
  const folder = home ?? join(dataDir, 'run');
  for (const name of readdirSync(folder))
    if (/^toolkeep-open-[0-9a-f]{16}\.html$/.test(name)) rmSync(join(folder, name), { force: true });
  const file = join(folder, `toolkeep-open-${randomBytes(8).toString('hex')}.html`);
  // The address consists of URL-safe characters that we generated, so it needs no escaping.
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Toolkeep</title>
<meta http-equiv="refresh" content="0;url=${pageUrl}"><a href="${pageUrl}">Open Toolkeep</a>\n`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  setTimeout(() => rmSync(file, { force: true }), fileLifetimeMs).unref();
  await open(pathToFileURL(file).href);
}
