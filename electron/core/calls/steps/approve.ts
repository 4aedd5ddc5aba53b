/** Asks the user about calls that need approval, and ensures that exactly the approved call runs. */
import { fail } from '../../../../shared/failure.ts';
import { type ApprovalNeed, type ApprovalsAsk, needsApproval } from '../../../../shared/model/tool.ts';
import type { Approvals } from '../../policy/approvals.ts';
import { hasSimilarKeys } from '../../policy/argument-values.ts';
import type { OwnFiles } from '../../policy/own-files.ts';
import type { Root } from '../../servers/roots.ts';
import { rootsOfCall } from '../roots-of-call.ts';
import type { CallResult, PipelineCall, Step } from '../step.ts';

export interface ApproveOptions {
  approvals: Approvals;
  ownFiles: OwnFiles;
  /** The folders that the server may receive because of the caller's roots. */
  foldersOfCaller(server: string, rootsOfCaller: () => Promise<readonly Root[] | undefined>): Promise<string[]>;
  /** Which calls need approval. */
  approvalsAsk(): ApprovalsAsk;
}

/** `checks` run again after the user has answered, because the tool may have changed meanwhile. */
export function createApprove(
  { approvals, ownFiles, foldersOfCaller, approvalsAsk }: ApproveOptions,
  checks: { resolve: Step; authorize: Step },
): Step {
  async function requireUnchanged(call: PipelineCall): Promise<void> {
    const { found, server, tool } = call;
    // Check a copy: `resolve` would reset `startedAt`, and the call's duration includes the wait for the user.
    const checked = { ...call };
    await checks.resolve(checked, () => checks.authorize(checked, noResult));
    call.found = checked.found;
    if (call.found.fingerprint === found.fingerprint) return;
    throw fail('TOOL_HELD_BACK', `"${tool}" changed while the user was deciding, so it did not run.`, { server, tool });
  }

  return async (call, next) => {
    const args = { arguments: call.arguments, meta: call.meta };
    const folders = () => foldersOfCaller(call.server, () => rootsOfCall(call));
    const alwaysAsk = await ownFiles.reasonToAsk(args, { tool: call.found, foldersOfCaller: folders });
    // A server may read either of two keys that differ only in case.
    const clear = hasSimilarKeys(call.arguments) ? {} : call.arguments;
    const need = alwaysAsk === undefined ? needsApproval(call.found, approvalsAsk(), clear) : 'each';
    if (call.mustRead) requireRead(call, need);
    if (need === 'none' || (need === 'once' && call.client.isUser)) return next();
    const { id, client, found, signal } = call;
    const about = { callId: id, client, tool: found, fingerprint: found.fingerprint, ...args };
    await call.detached.whileWaitingForUser(approvals.require({ ...about, signal, need, alwaysAsk }));
    await requireUnchanged(call);
    call.mayNameOwnFiles = alwaysAsk !== undefined;
    return next();
  };
}

/** Refuses calls that are not safe or need approval, so that a client can allow `read_tool` for every tool. */
function requireRead({ found, server, tool }: PipelineCall, need: ApprovalNeed): void {
  const isSafe = found.annotations.safetyLevel === 'safe';
  if (isSafe && need === 'none') return;
  const reason = isSafe ? 'needs approval' : 'may change something';
  throw fail('TOOL_NOT_READ_ONLY', `"${tool}" ${reason}, so read_tool did not run it.`, {
    server,
    tool,
    hint: 'Run it with execute_tool.',
  });
}

const noResult = async (): Promise<CallResult> => ({});
