/** `toolkeep serve`, and `npm start` without Electron: runs a Core until stopped, and reports its progress. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, toFailure } from '../../../shared/failure.ts';
import { createNodeHost, type NodeHost } from '../../host/host.ts';
import { openPage } from '../../host/open-page.ts';
import { launchBrowser } from '../../host/open-url.ts';
import { releaseMemory } from '../../host/release-memory.ts';
import { onceFree, runningPage } from '../../host/running-core.ts';
import { describeUncaught, reportUncaughtErrors } from '../../host/uncaught-errors.ts';
import { type Serving, serveCore } from '../../http/serving.ts';
import { reportProgress } from './progress.ts';

export interface HeadlessOptions {
  port?: number;
  /** Exit after a minute without a connected client. Set for a Core that a bridge started. */
  untilIdle?: boolean;
  /** Open the page in the user's browser. */
  open?: boolean;
  /** The folder of the built renderer. Default: the one in dist/. */
  rendererDir?: string;
  env?: NodeJS.ProcessEnv;
  /** True if the output goes to a terminal. Default: whether stderr is a terminal. */
  isTerminal?: boolean;
  /** Prints a line for the user. Default: to stderr. */
  say?(line: string): void;
}

/**
 * Serves until SIGINT, SIGTERM, SIGHUP, the end of the parent process, or idleness. Resolves with the exit code after
 * everything has stopped. If a Core is already running, prints its address and resolves with 0.
 */
export async function runHeadless(options: HeadlessOptions = {}): Promise<number> {
  const say = options.say ?? ((line) => process.stderr.write(`${line}\n`));
  const env = options.env ?? process.env;
  const isTerminal = options.isTerminal ?? process.stderr.isTTY;
  const ending = Promise.withResolvers<number>();
  const stopListening = endWith(ending.resolve);
  const stopResting = releaseMemory();
  let host: NodeHost | undefined;
  let serving: Serving | undefined;
  const stopReporting = reportUncaughtErrors((error) => {
    say(describeUncaught(error));
    host?.log('error', describeUncaught(error));
  });
  try {
    if (options.port !== undefined && !isPort(options.port))
      throw fail('INPUT_INVALID', 'The port must be a whole number from 1 to 65535.');
    host = await onceFree(() => createNodeHost({ env, onDemand: options.untilIdle }), env, {
      over: ending.promise,
      onWait: () => say('Waiting for another Toolkeep process to end…'),
      takesOver: !options.untilIdle,
    });
    serving = await serveCore(host, {
      rendererDir: options.rendererDir ?? builtRenderer(),
      port: options.port ?? portIn(env),
      onIdle: options.untilIdle ? () => ending.resolve(0) : undefined,
      // A Core that a bridge started has no visible terminal, so the user could not find its page.
      servesPage: !options.untilIdle,
    });
    // Print the page's code only to a terminal; other output may go to a log on disk.
    const pageUrl = isTerminal ? serving.pageUrl() : undefined;
    say(`Toolkeep ${host.version} is ready: ${pageUrl ?? serving.origin}`);
    if (!isTerminal && !options.untilIdle)
      say('The page needs a code. Run `toolkeep serve` in a terminal: it prints the complete address.');
    const page = options.open && isTerminal ? serving.pageUrl() : undefined;
    if (page) await openPage(host.dataDir, page, launchBrowser).catch(() => undefined);
    // A Core that a bridge started has no visible terminal.
    if (!options.untilIdle) await reportProgress(serving.core, say, pageUrl !== undefined);
    return await ending.promise;
  } catch (error) {
    const failure = toFailure(error);
    const running = failure.code === 'CORE_RUNNING' ? await runningPage(env) : undefined;
    if (running) say(`Toolkeep is already running: ${isTerminal ? running : new URL(running).origin}`);
    else say(`${failure.message}${failure.hint ? ` ${failure.hint}` : ''}`);
    host?.log('error', `${failure.code}: ${failure.message}`);
    return running ? 0 : 1;
  } finally {
    stopReporting();
    await serving?.close();
    host?.log('info', 'Toolkeep has ended.');
    host?.release();
    stopListening();
    stopResting();
  }
}

/** The renderer is next to the bundle; chunks are one folder deeper. */
function builtRenderer(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return join(here.replace(/[\\/]chunks[\\/]?$/, ''), 'renderer');
}

function portIn(env: NodeJS.ProcessEnv): number | undefined {
  const port = Number(env.TOOLKEEP_PORT);
  return isPort(port) ? port : undefined;
}

const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;

/** Milliseconds until the process exits, even if something has not stopped. */
const shutdownTimeoutMs = 8_000;

/**
 * Calls `end` with the exit code on a signal, or when the parent process that holds our IPC channel exits. The same signal
 * may arrive twice (from the terminal and through npm). Returns a function that stops listening.
 */
function endWith(end: (exitCode: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onSignal = () => {
    end(0);
    timer ??= setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on('disconnect', onSignal);
  // The listener would otherwise keep the channel, and thus the process, alive.
  process.channel?.unref();
  return () => {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onSignal);
  };
}
