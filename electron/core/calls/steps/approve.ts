/** Asks the user about calls that need approval, and ensures that exactly the approved call runs. */
import { fail } from '../../../../shared/failure.ts';
import { type ApprovalNeed, needsApproval } from '../../../../shared/model/tool.ts';
import type { Config } from '../../config/schema.ts';
import type { ApprovalRequest } from '../../policy/approval-request.ts';
import type { Approvals } from '../../policy/approvals.ts';
import { hasSimilarKeys } from '../../policy/argument-values.ts';
import { namesAddress } from '../../policy/leaks.ts';
import type { OwnFiles } from '../../policy/own-files.ts';
import type { Servers } from '../../servers/servers.ts';
import type { FoundCall } from '../step.ts';
import type { createAuthorize } from './authorize.ts';
import type { createResolve } from './resolve.ts';

export interface ApproveOptions {
  approvals: Approvals;
  ownFiles: OwnFiles;
  servers: Pick<Servers, 'foldersOfCaller'>;
  config(): Pick<Config, 'approvals'>;
}

/** `checks` run again after the user has answered, because the tool may have changed meanwhile. */
export function createApprove(
  { approvals, ownFiles, servers, config }: ApproveOptions,
  checks: { resolve: ReturnType<typeof createResolve>; authorize: ReturnType<typeof createAuthorize> },
) {
  /** Why the call needs the user, whatever the tool. */
  function reasonToAsk({ found, server, roots, arguments: args, meta }: FoundCall): Promise<string | undefined> {
    const foldersOfCaller = roots && (() => servers.foldersOfCaller(server, roots));
    return ownFiles.reasonToAsk({ arguments: args, meta }, { tool: found, foldersOfCaller });
  }

  /** Finds out which approval the call needs, if any. Throws if the tool changed after the user was asked about the batch. */
  function approvalOf(call: FoundCall, alwaysAsk: string | undefined): ApprovalRequest | undefined {
    if (call.planned && call.planned.fingerprint !== call.found.fingerprint) throw changed(call);
    // A server may read either of two keys that differ only in case.
    const clear = hasSimilarKeys(call.arguments) ? {} : call.arguments;
    const need = alwaysAsk === undefined ? needsApproval(call.found, config().approvals.ask, clear) : 'each';
    if (call.mustRead) requireRead(call, need);
    const { destinations, reads } = config().approvals;
    let checked: ApprovalRequest['checks'];
    // Unlike an agent, the user knows where a call goes that the user makes.
    if (!call.client.isUser && destinations === 'known' && call.found.destinations !== 'any') {
      const { annotations } = call.found;
      const acts = needsApproval({ annotations, confirm: 'auto' }, 'acts', clear) !== 'none';
      if (acts) checked = 'acts';
      else if (reads === 'leaks' && annotations.openWorldHint && namesAddress(call.arguments)) checked = 'reads';
    }
    if (need === 'none' && !checked) return undefined;
    if (need === 'once' && call.client.isUser) return undefined;
    const { id, client, found, signal } = call;
    const args = { arguments: call.arguments, meta: call.meta };
    const about = { callId: id, client, tool: found, fingerprint: found.fingerprint, ...args };
    return { ...about, signal, need, alwaysAsk, checks: checked };
  }

  async function approve(call: FoundCall, request: ApprovalRequest): Promise<void> {
    if (!isAllowed(request, call.planned?.allowed)) await call.detached.whileWaitingForUser(approvals.require(request));
    call.found = await checks.resolve(call);
    checks.authorize(call.client, call.found);
    if (call.found.fingerprint !== request.fingerprint) throw changed(call);
    call.mayNameOwnFiles = request.alwaysAsk !== undefined;
  }

  return { approve, approvalOf, reasonToAsk };
}

/** Files and settings may have changed since the user was asked about the batch, so that the call needs more than that. */
const isAllowed = (request: ApprovalRequest, allowed: ApprovalRequest | undefined) =>
  allowed !== undefined &&
  allowed.need === request.need &&
  allowed.alwaysAsk === request.alwaysAsk &&
  allowed.checks === request.checks;

const changed = ({ server, tool }: FoundCall) =>
  fail('TOOL_HELD_BACK', `"${tool}" changed while the user was deciding, so it did not run.`, { server, tool });

/** Refuses calls that are not safe or need approval, so that a client can allow `read_tool` for every tool. */
function requireRead({ found, server, tool }: FoundCall, need: ApprovalNeed): void {
  const isSafe = found.annotations.safetyLevel === 'safe';
  if (isSafe && need === 'none') return;
  const reason = isSafe ? 'needs approval' : 'may change something';
  throw fail('TOOL_NOT_READ_ONLY', `"${tool}" ${reason}, so read_tool did not run it.`, {
    server,
    tool,
    hint: 'Run it with execute_tool.',
  });
}
