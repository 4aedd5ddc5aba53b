/** The data that the parts of a confined start share, and the failure if a server cannot be confined. */
import { fail } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import type { Limits } from '../types.ts';

export interface Confinement {
  host: Host;
  server: string;
  limits: Limits;
  /** Reports what the server was refused, and what does not work confined. */
  onProblem(kind: string, message: string): void;
}

export function refused(
  server: string,
  reason: string,
  hint = "Remove `sandbox` from the server's configuration to start it unconfined.",
) {
  return fail('SERVER_SPAWN_FAILED', `"${server}" cannot be confined, so it was not started: ${reason}.`, {
    server,
    hint,
  });
}
