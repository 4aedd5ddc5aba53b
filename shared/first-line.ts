/** A failure in the rows of lists. */
import type { Failure } from './failure.ts';

/** A failure in one line. For a crash, the line of the server's output that names an error, or the first one. */
export function firstLineOf({ code, message }: Failure): string {
  const [first = '', ...output] = message.split('\n');
  if (code !== 'SERVER_CRASHED') return first;
  return output.find((line) => /error|exception|fail|cannot|not found|missing/i.test(line)) ?? output[0] ?? first;
}
