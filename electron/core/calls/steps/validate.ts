/** Refuses arguments that the server would refuse, and names the invalid field. */
import { fail } from '../../../../shared/failure.ts';
import { validateArguments } from '../../tools/arguments.ts';
import type { FoundCall } from '../step.ts';

/** Throws ARGUMENTS_INVALID. */
export function validate(call: FoundCall): void {
  const checked = validateArguments(call.found, call.arguments);
  if (checked.ok) return;
  const { server, tool } = call;
  throw fail('ARGUMENTS_INVALID', `Invalid arguments for "${tool}": ${checked.problems.join('; ')}`, {
    server,
    tool,
  });
}
