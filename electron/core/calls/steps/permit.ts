/** Decides about a call, asks the user what it lacks, and refuses it with what the user can do. */
import { ToolkeepError } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { ApprovalRequest } from '../../policy/approval-request.ts';
import type { Approvals } from '../../policy/approvals.ts';
import { nameLongerThan } from '../../policy/argument-values.ts';
import { decide } from '../../policy/decide/decide.ts';
import { type EnableRequests, enableRequestOf } from '../../policy/enable-requests.ts';
import { type Sight, verdictOf } from '../../policy/facts.ts';
import type { OwnFiles } from '../../policy/own-files.ts';
import type { State } from '../../policy/rows.ts';
import type { Call, Final, Refused } from '../../policy/verdict.ts';
import { rootsOf } from '../../servers/roots.ts';
import type { Servers } from '../../servers/servers.ts';
import { validateArguments } from '../../tools/arguments.ts';
import type { KnownTools } from '../../tools/known-tools.ts';
import type { RegisteredTool } from '../../types.ts';
import type { FoundCall, RunningCall } from '../step.ts';

export interface PermitOptions {
  state(): State;
  approvals: Approvals;
  enableRequests: EnableRequests;
  ownFiles: OwnFiles;
  resultsOf: Sight['resultsOf'];
  servers: Pick<Servers, 'promptMissingSecrets' | 'refresh' | 'foldersOfCaller'>;
  knownTools: Pick<KnownTools, 'find'>;
}

/** A call that may run, or that the user must be asked about. `mayAsk`: the user wants questions. */
export type Settled =
  | { kind: 'run'; call: FoundCall; verdict: Extract<Final, { kind: 'run' }> }
  | { kind: 'ask'; call: FoundCall; request: ApprovalRequest; mayAsk: boolean };

const maxName = limits.client.argumentNameCharacters;
/** Characters of a name that is too long, for the message. */
const shownOfName = 40;

export function createPermit(options: PermitOptions) {
  const { state, approvals, enableRequests, ownFiles, resultsOf, servers, knownTools } = options;

  async function discover({ client, server, tool, signal, isTask }: RunningCall): Promise<void> {
    await servers.promptMissingSecrets(server, { from: { client: client.name, tool }, signal, isTask });
    await servers.refresh(server);
  }

  function sightOf(call: RunningCall & Pick<FoundCall, 'roots'>, start: () => Promise<void>): Sight {
    const { server, tool, roots, arguments: args, meta } = call;
    const found = () => knownTools.find(server, tool);
    return {
      discover: start,
      schema: () => found().inputSchema,
      problems: () => problemsOf(found(), call),
      ownFiles() {
        const foldersOfCaller = roots && (() => servers.foldersOfCaller(server, roots));
        return ownFiles.reasonToAsk({ arguments: args, meta }, { tool: found(), foldersOfCaller });
      },
      resultsOf,
    };
  }

  function callOf(running: RunningCall): Call {
    const { client: caller, server, tool, arguments: args, meta, mustRead, mayBeApp, planned } = running;
    return { caller, server, tool, arguments: args, meta, mustRead, mayBeApp, planned, now: Date.now(), facts: {} };
  }

  /** Throws why the call may not run, with a hint for the agent. May ask the user to lift the reason. */
  function refuse({ client, server, tool }: RunningCall, { failure, because }: Refused): never {
    // Fails with similar names, of tools that the client may call.
    if (because === 'name' && failure.code === 'TOOL_NOT_FOUND')
      knownTools.find(server, tool, ({ name }) => {
        const about = { caller: client, server, tool: name, now: Date.now(), facts: {} };
        return decide(state(), about).kind !== 'refuse';
      });
    const request = enableRequestOf(because, { caller: client, server, tool }, knownTools);
    const hint = request && enableRequests.request(request);
    throw new ToolkeepError(hint ? { ...failure, hint } : failure);
  }

  /** Finds out whether the call may run. Discovers its server, and asks the user for secrets that it needs. */
  async function settle(running: RunningCall): Promise<Settled> {
    const { client, server, tool, signal, isTask } = running;
    const call = Object.assign(running, {
      roots: running.roots ?? (client.capabilities.roots ? rootsOf(client, signal) : undefined),
    });
    const decideOn = (start: () => Promise<void>) => verdictOf(state, callOf(call), sightOf(call, start));
    let verdict = await decideOn(() => discover(call));
    const isRefused = verdict.kind === 'refuse' && !verdict.asked;
    const asking = isRefused
      ? undefined
      : servers.promptMissingSecrets(server, { from: { client: client.name, tool }, signal, isTask });
    if (asking) {
      await asking;
      verdict = await decideOn(() => discover(call));
    }
    // The server's start does not count toward the call's duration.
    if (!call.planned) call.startedAt = Date.now();
    if (verdict.kind === 'refuse' && !verdict.asked) return refuse(call, verdict);
    const found = Object.assign(call, { found: knownTools.find(server, tool) });
    if (verdict.kind === 'run') return { kind: 'run', call: found, verdict };
    const { asked } = verdict;
    const stay = async () => Promise.reject(new Error(`"${server}" must be discovered again.`));
    const { id: callId, arguments: args, meta } = call;
    const about = { tool: found.found, client, arguments: args, ...(meta && { meta }), callId, signal };
    return {
      kind: 'ask',
      call: found,
      request: { ...about, asked, decide: () => decideOn(stay) },
      mayAsk: verdict.kind === 'ask',
    };
  }

  /** Resolves with the call when it may run. Rejects with the reason why it may not. */
  async function permit(running: RunningCall): Promise<FoundCall> {
    for (;;) {
      const settled = await settle(running);
      const { call } = settled;
      if (settled.kind === 'run') {
        const { by, wanted } = settled.verdict;
        call.mayNameOwnFiles = wanted?.alwaysAsk !== undefined;
        // A rule's permission is not recorded for each call.
        if (by === 'grant' && wanted?.need !== 'none')
          approvals.granted({ client: call.client, tool: call.found, callId: call.id });
        return call;
      }
      const { request } = settled;
      const allowed = await call.detached.whileWaitingForUser(approvals.require(request));
      call.planned = { fingerprint: request.asked.tool.fingerprint, allowed };
    }
  }

  return { settle, permit };
}

/** Why the server would refuse the arguments, or Toolkeep could not check them without a pause. */
function problemsOf(found: RegisteredTool, { arguments: args, meta }: RunningCall): readonly string[] {
  const long = nameLongerThan(maxName, [args, meta]);
  if (long !== undefined)
    return [`the name "${long.slice(0, shownOfName)}…" has ${long.length} characters, and ${maxName} are allowed`];
  const checked = validateArguments(found, args);
  return checked.ok ? [] : checked.problems;
}
