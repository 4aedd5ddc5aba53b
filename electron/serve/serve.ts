/** `gatehouse serve` and `npm start` without Electron: runs a Core until it is told to stop, and says what happens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, toFailure } from '../../shared/failure.ts';
import { createNodeHost, dataFolder, type NodeHost } from '../host/host.ts';
import { endWith } from './ending.ts';
import { onceFree } from './once-free.ts';
import { reportProgress } from './progress.ts';
import { giveMemoryBack } from './rest.ts';
import { type Serving, serveCore } from './serving.ts';

export { onceFree } from './once-free.ts';
export { type ServeOptions, type Serving, serveCore } from './serving.ts';

export interface HeadlessOptions {
  port?: number | undefined;
  /** Ends by itself when nobody has been connected for a minute: a Core that a bridge started. */
  untilIdle?: boolean | undefined;
  /** Shows the page in the person's browser. */
  open?: boolean | undefined;
  /** Default: the one in dist/. */
  rendererDir?: string | undefined;
  env?: NodeJS.ProcessEnv;
  /** A line for the person. Default: stderr. */
  say?(line: string): void;
}

/**
 * Serves until SIGINT, SIGTERM, SIGHUP, the loss of the process that started it, or idleness. Resolves with the exit code
 * when everything has ended. A Core that runs already is not an error: its address is told.
 */
export async function runHeadless(options: HeadlessOptions = {}): Promise<number> {
  const say = options.say ?? ((line) => process.stderr.write(`${line}\n`));
  const env = options.env ?? process.env;
  const ending = Promise.withResolvers<number>();
  const stopListening = endWith(ending.resolve);
  const stopResting = giveMemoryBack();
  let host: NodeHost | undefined;
  let serving: Serving | undefined;
  try {
    if (options.port !== undefined && !isPort(options.port))
      throw fail('INPUT_INVALID', 'A port is a whole number from 1 to 65535.');
    host = await onceFree(() => createNodeHost({ env }), env, {
      over: ending.promise,
      onWait: () => say('Waiting for another command of Gatehouse to end…'),
    });
    serving = await serveCore(host, {
      rendererDir: options.rendererDir ?? builtRenderer(),
      port: options.port ?? portIn(env),
      onIdle: options.untilIdle ? () => ending.resolve(0) : undefined,
    });
    say(`Gatehouse ${host.version} is ready: ${serving.pageUrl}`);
    if (options.open) await host.openUrl(serving.pageUrl).catch(() => undefined);
    // Nobody sees the terminal of one that a bridge started.
    if (!options.untilIdle) await reportProgress(serving.core, say);
    return await ending.promise;
  } catch (error) {
    const failure = toFailure(error);
    const running = failure.code === 'CORE_RUNNING' ? runningPage(env) : undefined;
    if (running) say(`Gatehouse is already running: ${running}`);
    else say(`${failure.message}${failure.hint ? ` ${failure.hint}` : ''}`);
    host?.log('error', `${failure.code}: ${failure.message}`);
    return running ? 0 : 1;
  } finally {
    await serving?.close();
    host?.log('info', 'Gatehouse has ended.');
    host?.release();
    stopListening();
    stopResting();
  }
}

/** Beside the bundle; chunks lie one folder deeper. */
function builtRenderer(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return join(here.replace(/[\\/]chunks[\\/]?$/, ''), 'renderer');
}

function portIn(env: NodeJS.ProcessEnv): number | undefined {
  const port = Number(env.GATEHOUSE_PORT);
  return isPort(port) ? port : undefined;
}

const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;

/** The page of the Core that runs, for a person who started a second one. */
export function runningPage(env: NodeJS.ProcessEnv): string | undefined {
  const run = join(dataFolder(env), 'run');
  try {
    const { httpUrl } = JSON.parse(readFileSync(join(run, 'core.json'), 'utf8')) as { httpUrl?: string };
    const token = readFileSync(join(run, 'token'), 'utf8').trim();
    return httpUrl && `${httpUrl}/#token=${token}`;
  } catch {
    return undefined;
  }
}
