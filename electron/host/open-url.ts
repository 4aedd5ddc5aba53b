/** Opens a page in the person's browser with the platform's own command. */
import { spawn } from 'node:child_process';
import { fail } from '../../shared/failure.ts';

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Only http and https; no shell sees the address. Fails with URL_REFUSED. */
export async function openInBrowser(url: string): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, checkedUrl(url)], { stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', () => {
      reject(fail('URL_REFUSED', `No browser could be opened with "${command}". Open ${url} by hand.`));
    });
  });
  child.unref();
}

/** The address as it was parsed, when it is one for a browser. Fails with URL_REFUSED. */
export function checkedUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.href;
  throw fail('URL_REFUSED', `"${url.slice(0, 100)}" is not an http or https address, so it is not opened.`);
}
