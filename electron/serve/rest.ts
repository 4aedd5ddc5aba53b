/**
 * Gives memory back to the machine when a Core comes to rest. V8 collects when a program allocates; one that has read a
 * catalog, built its index and then waits would keep all that it needed for that, for hours.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often it is looked whether there is anything to do. */
const lookMs = 2_000;
/** Work (milliseconds of CPU) that is worth a collection once it is over, and what still counts as rest. */
const worthwhile = 100;
const restful = 40;

/** Looks from time to time until the result is called. */
export function giveMemoryBack(): () => void {
  let before = cpuMs();
  let worked = before;
  const timer = setInterval(() => {
    const now = cpuMs();
    const isResting = now - before < restful;
    worked += now - before;
    before = now;
    if (!isResting || worked < worthwhile) return;
    collectAll();
    worked = 0;
    before = cpuMs();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What `--expose-gc` gives, without the flag: this process may have been started by anyone, in any way. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
