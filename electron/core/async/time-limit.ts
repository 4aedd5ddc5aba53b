/** Runs code with a time limit, for code that a server's data could slow down. */
import { createContext, Script } from 'node:vm';

const context = createContext(Object.create(null));
const script = new Script('run()');

/**
 * Calls `run` and returns its result, or undefined after `limitMs`. The engine interrupts it from another thread, even
 * inside a native loop over data. `run` must not return undefined or change anything that outlives it.
 */
export function withinTime<T extends NonNullable<unknown>>(limitMs: number, run: () => T): T | undefined {
  context.run = run;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.run = undefined;
  }
}
