/** The report of a smoke run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { say } from '../paths.mjs';

/** Checks that need a user, a signed package, another machine or more time. The report lists them as a reminder. */
const notRun = [
  'On Windows, the app that a client from the Store started is outside of its job, and its first window is visible',
  'The prompt appears over a full-screen app, and the focus returns',
  'The login item starts the app at login, without its window',
  'A download from the feed replaces the installed app while clients are connected',
  'What is left after the package is removed',
  'A server that scripts other apps is asked for access in the name of Gatehouse (macOS)',
  'The computer sleeps and wakes up, with an open question',
  'The app runs from a disk image (macOS)',
  'Notarization (macOS) and the publisher of the signature (Windows)',
];

/** Writes the report to `file`. */
export function createReport(file) {
  const results = [];
  return {
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
