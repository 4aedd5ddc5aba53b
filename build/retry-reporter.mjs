/**
 * A Vitest reporter that fails the run for a test that passed only after a retry, unless test/retried-tests.txt lists it.
 * Without this, a retry would hide a new flaky test.
 */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root, say } from './paths.mjs';

const listFile = 'test/retried-tests.txt';

/** The listed tests, one `FILE > TITLE` per line; lines that start with # are comments. */
export function listedTests(text) {
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

export default class RetryReporter {
  retried = [];

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const file = relative(root, test.module.moduleId).split(sep).join('/');
    const errors = (test.result().errors ?? []).map(({ message }) => message);
    this.retried.push({ name: `${file} > ${test.fullName}`, errors });
  }

  onTestRunEnd() {
    const listed = listedTests(readFileSync(join(root, listFile), 'utf8'));
    for (const { name, errors } of this.retried) {
      say(listed.has(name) ? `Retried (listed): ${name}` : `Retried, and not in ${listFile}: ${name}`);
      for (const error of errors) say(error.replaceAll(/^/gm, '  '));
    }
    if (this.retried.some(({ name }) => !listed.has(name))) process.exitCode = 1;
  }
}
