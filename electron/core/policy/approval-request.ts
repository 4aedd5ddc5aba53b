/** A call that needs approval. */
import type { ToolView } from '../../../shared/model/tool.ts';
import type { Client, JsonObject } from '../types.ts';
import { grantableOf } from './decide/permit.ts';
import type { Grantable } from './grants.ts';
import type { Between } from './known-destinations.ts';
import type { Asked, Final } from './verdict.ts';

export interface ApprovalRequest {
  tool: ToolView;
  client: Client;
  arguments: JsonObject;
  /** The client's `_meta`, which the server receives as well. */
  meta?: JsonObject;
  callId: string;
  signal: AbortSignal;
  /** The question about the call. */
  asked: Asked;
  /** Decides about the call again. Rejects if its server would have to start for that. */
  decide(): Promise<Final>;
}

export const betweenOf = ({ tool, client }: ApprovalRequest): Between => ({ server: tool.server, caller: client });

/** The call that a lasting answer covers. */
export function grantable(request: ApprovalRequest, { tool, need, choices }: Asked): Grantable {
  const { client: caller, arguments: args, meta } = request;
  return grantableOf({ caller, arguments: args, ...(meta && { meta }) }, tool, need, choices);
}
