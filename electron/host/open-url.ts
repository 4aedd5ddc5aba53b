/** Opens a web page in the user's browser with the platform's command. */
import { spawn } from 'node:child_process';
import { fail } from '../../shared/failure.ts';

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens http and https URLs only, without a shell. Fails with URL_REFUSED. */
export async function openInBrowser(url: string): Promise<void> {
  await launchBrowser(checkedUrl(url));
}

/** Opens any URL, without a shell. Pass only URLs that Toolkeep created. Fails with URL_REFUSED. */
export async function launchBrowser(url: string): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', () => {
      reject(fail('URL_REFUSED', `The browser could not be opened with "${command}". Open ${url} manually.`));
    });
  });
  child.unref();
}

/** The normalized form of an http or https URL. Fails with URL_REFUSED for any other scheme. */
export function checkedUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.href;
  throw fail('URL_REFUSED', `"${url.slice(0, 100)}" is not an http or https URL, so Toolkeep did not open it.`);
}
