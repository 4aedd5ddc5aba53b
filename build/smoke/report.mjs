/** The report of a smoke run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { say } from '../paths.mjs';

/** Writes the report to `file`. */
export function createReport(file) {
  const results = [];
  const notRun = [];
  return {
    /** Records what this run cannot check. `needs`: where or how it can be checked. */
    skip(name, needs) {
      notRun.push({ name, needs });
      say(`--   ${name}: not in this run, needs ${needs}`);
    },
    /** Runs one check. Its result or its error goes into the report. */
    async check(name, work) {
      const startedAt = Date.now();
      let outcome;
      try {
        outcome = { name, result: 'passed', detail: await work() };
      } catch (error) {
        outcome = { name, result: 'failed', detail: String(error?.message ?? error) };
      }
      results.push({ ...outcome, milliseconds: Date.now() - startedAt });
      say(outcome.result === 'passed' ? `ok   ${name}` : `FAIL ${name}: ${outcome.detail}`);
    },
    /** Returns false if a check failed. */
    write(subject) {
      mkdirSync(dirname(file), { recursive: true });
      const { platform, arch, env } = process;
      const session = { type: env.XDG_SESSION_TYPE, desktop: env.XDG_CURRENT_DESKTOP };
      const report = { subject, platform, arch, session, at: new Date().toISOString(), results, notRun };
      writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
      say(`The report is ${file}.`);
      return results.every(({ result }) => result === 'passed');
    },
  };
}
