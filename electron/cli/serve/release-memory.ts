/**
 * Returns memory to the system when a Core becomes idle. V8 collects garbage only while a program allocates, so a Core
 * that has built its index and then waits would keep the garbage for hours. Saves 19 MB with 10,000 tools.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const intervalMs = 2_000;
/** CPU time that justifies a collection once the work is over. */
const minWorkMs = 100;
/** CPU time per interval that still counts as idle. */
const maxIdleWorkMs = 40;

/** Checks every two seconds; returns a function that stops it. */
export function releaseMemory(): () => void {
  let before = cpuMs();
  let worked = before;
  const timer = setInterval(() => {
    const now = cpuMs();
    const isResting = now - before < maxIdleWorkMs;
    worked += now - before;
    before = now;
    if (!isResting || worked < minWorkMs) return;
    collectAll();
    worked = 0;
    before = cpuMs();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a full collection. The flag is set at run time because Core is started in several ways. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
