/**
 * Detaches the call from its client's request, so that it continues if the client stops waiting. Resumes parked calls.
 */
import { fail } from '../../../../shared/failure.ts';
import { maxTimerMs } from '../../../../shared/max-timer.ts';
import type { Config } from '../../config/schema.ts';
import { originalText } from '../../jsonrpc/raw-json.ts';
import { clientTimeoutsOf } from '../client-timeout.ts';
import { type Called, cancelArgument, handleArgument, type Parking, signatureOf, startDetached } from '../parking.ts';
import type { CallResult, RunningCall, StartedCall } from '../step.ts';

export interface ParkOptions {
  config(): { approvals: Pick<Config['approvals'], 'clientTimeoutMs'> };
}

export function createPark(
  parking: Parking<CallResult>,
  options: ParkOptions,
  run: (call: RunningCall) => Promise<CallResult>,
) {
  return (call: StartedCall): Promise<CallResult> => {
    const { client, signal, onProgress } = call;
    const called = calledBy(call);
    const handle = call.arguments[handleArgument];
    const detached =
      (typeof handle === 'string' ? resumed(parking, call, called, handle) : parking.take(client.id, called)) ??
      startDetached(called, (started) =>
        run(Object.assign(call, { detached: started, signal: started.controller.signal })),
      );
    const timeouts = call.isTask
      ? { userMs: maxTimerMs }
      : clientTimeoutsOf(client, onProgress !== undefined, options.config().approvals.clientTimeoutMs);
    return parking.wait(detached, { owner: client.id, timeouts, signal, onProgress });
  };
}

/** `read_tool` and `execute_tool` neither resume nor cancel each other's calls. */
const calledBy = ({ server, tool, arguments: args, mustRead = false }: StartedCall): Called => ({
  target: JSON.stringify([server, tool, mustRead]),
  signature: () => signatureOf(server, tool, [mustRead, originalText(args)]),
});

function resumed(parking: Parking<CallResult>, call: StartedCall, called: Called, handle: string) {
  const { client, server, tool } = call;
  const detached = parking.take(client.id, { handle, target: called.target });
  if (detached && call.arguments[cancelArgument] === true)
    detached.controller.abort(fail('CANCELLED', 'The agent canceled the call.', { server, tool }));
  if (detached) return detached;
  throw fail(
    'CALL_NOT_FOUND',
    `No call of "${tool}" is waiting under the handle ${JSON.stringify(handle.slice(0, 40))}.`,
    {
      server,
      tool,
      hint: 'Its result was already fetched, it expired, or it belongs to another tool. This call did not run the tool.',
    },
  );
}
