/** Refuses arguments that the server itself would refuse, and says which field is wrong. */
import { fail } from '../../../../shared/failure.ts';
import { validateArguments } from '../../tools/arguments.ts';
import type { Step } from '../step.ts';

export const validate: Step = (call, next) => {
  const checked = validateArguments(call.found, call.arguments);
  if (checked.ok) return next();
  const { server, tool } = call;
  throw fail('ARGUMENTS_INVALID', `The arguments do not fit "${tool}": ${checked.problems.join('; ')}`, {
    server,
    tool,
  });
};
