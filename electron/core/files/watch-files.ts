/** Watches files, whether or not they exist, and reports when one may have changed. */
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';

export type Watching = Awaited<ReturnType<typeof watchFiles>>;

export interface WatchOptions {
  /** Milliseconds to wait after the last change, because editors write in several steps. */
  settleMs?: number;
  /**
   * Milliseconds between polls, which detect changes without events: replaced symlink targets, network home folders,
   * dropped watches.
   */
  pollMs?: number;
}

/** Watches `files` through their folders and also polls them. Calls `onChange` after a burst of changes has settled. */
export async function watchFiles(
  files: readonly string[],
  onChange: () => void,
  { settleMs = 120, pollMs = 3_000 }: WatchOptions = {},
) {
  const wanted = new Set(files);
  const folders = new Set(files.map((file) => dirname(file)));
  // A folder that does not exist yet will appear in its parent. Other parents are not watched: they may be large and busy.
  const roots = new Set(
    await Promise.all([...folders].map(async (folder) => ((await isFolder(folder)) ? folder : dirname(folder)))),
  );
  const ancestors = new Set([...roots].flatMap(ancestorsOf));
  let signature = await signatureOf(files);
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const before = signature;
      signature = await signatureOf(files);
      // Folders may appear and disappear around files that stay unchanged.
      if (signature !== before) onChange();
    }, settleMs);
  };

  const isRelevant = (path: string) => roots.has(path) || folders.has(path) || wanted.has(path) || ancestors.has(path);
  const watcher = watch([...roots], { ignoreInitial: true, depth: 1, ignored: (path) => !isRelevant(path) });
  watcher.on('all', (event, path) => {
    if (wanted.has(path) || (folders.has(path) && event !== 'change')) changed();
  });
  // Ignore errors: a folder that cannot be watched is still polled.
  watcher.on('error', () => undefined);
  // Scanning a home folder takes a while; check once more for changes during the scan.
  watcher.once('ready', changed);

  const poll = setInterval(async () => {
    if ((await signatureOf(files)) !== signature) changed();
  }, pollMs);
  poll.unref();

  return {
    async close(): Promise<void> {
      clearTimeout(timer);
      clearInterval(poll);
      await watcher.close();
    },
  };
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function ancestorsOf(path: string): string[] {
  const found: string[] = [];
  for (let end = path.lastIndexOf(sep); end > 0; end = path.lastIndexOf(sep, end - 1)) found.push(path.slice(0, end));
  return found;
}

async function signatureOf(files: readonly string[]): Promise<string> {
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
