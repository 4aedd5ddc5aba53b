/** A failure in one line. */
import { expect, it } from 'vitest';
import { firstLineOf } from '../../../shared/first-line.ts';

const crash = (output: string) => ({
  code: 'SERVER_CRASHED' as const,
  message: `"old-tool" exited with code 3. Its last output:\n${output}`,
});

it('A crash shows the line of the output that names an error', () => {
  expect(firstLineOf(crash('node:internal/loader:1228\n  throw err;\nError: Cannot find module "x"\n  at a'))).toBe(
    'Error: Cannot find module "x"',
  );
  expect(firstLineOf(crash('Set TOKEN first'))).toBe('Set TOKEN first');
  expect(firstLineOf({ code: 'SERVER_CRASHED', message: 'It exited with code 1.' })).toBe('It exited with code 1.');
});
