/** Refuses arguments that the server would refuse, and names the invalid field. */
import { fail } from '../../../../shared/failure.ts';
import { validateArguments } from '../../tools/arguments.ts';
import type { Step } from '../step.ts';

export const validate: Step = (call, next) => {
  const checked = validateArguments(call.found, call.arguments);
  if (checked.ok) return next();
  const { server, tool } = call;
  throw fail('ARGUMENTS_INVALID', `Invalid arguments for "${tool}": ${checked.problems.join('; ')}`, {
    server,
    tool,
  });
};
