/** Tells when a config file may have changed, appeared or gone; what really changed is for the reader to find out. */
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';

export interface Watching {
  close(): Promise<void>;
}

/** Editors write in several steps; one look after the last of them is enough. */
const settleMs = 120;
/** Catches what no event tells: a symlink's target that was replaced, a network home, a watch that the system dropped. */
const pollMs = 3000;

/**
 * Watches the folders of `files` for these files alone, existing or not, and polls them slowly besides.
 * `onChange` is called once things have settled.
 */
export async function watchFiles(files: string[], onChange: () => void): Promise<Watching> {
  const wanted = new Set(files);
  const folders = new Set(files.map((file) => dirname(file)));
  // A folder that does not exist yet announces itself in its parent.
  const roots = new Set([...folders].flatMap((folder) => [folder, dirname(folder)]));
  let signature = await signatureOf(files);
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      signature = await signatureOf(files);
      onChange();
    }, settleMs);
  };

  const relevant = (path: string) =>
    roots.has(path) || wanted.has(path) || [...roots].some((root) => root.startsWith(path + sep));
  const watcher = watch([...roots], { ignoreInitial: true, depth: 1, ignored: (path) => !relevant(path) });
  watcher.on('all', (event, path) => {
    if (wanted.has(path) || (folders.has(path) && event !== 'change')) changed();
  });
  // A folder that cannot be watched is still polled.
  watcher.on('error', () => undefined);
  // A home folder takes a while to look through, and nobody waits for it: what changes meanwhile is seen at its end.
  watcher.once('ready', async () => {
    if ((await signatureOf(files)) !== signature) changed();
  });

  const poll = setInterval(async () => {
    if ((await signatureOf(files)) !== signature) changed();
  }, pollMs);
  poll.unref();

  return {
    async close() {
      clearTimeout(timer);
      clearInterval(poll);
      await watcher.close();
    },
  };
}

async function signatureOf(files: string[]): Promise<string> {
  const parts = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`,
        () => '',
      ),
    ),
  );
  return parts.join(' ');
}
