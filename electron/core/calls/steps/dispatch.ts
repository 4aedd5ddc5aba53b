/** Sends the call to its server, and answers the server's requests meanwhile. */

import { fail } from '../../../../shared/failure.ts';
import type { Elicitation, Unanswered } from '../../elicitation/elicitation.ts';
import type { ElicitationRoute } from '../../elicitation/route.ts';
import { answerServerRequest, canElicit, type RequestOrigin } from '../../elicitation/server-requests.ts';
import { openPages, urlsForClient } from '../../elicitation/url-elicitation.ts';
import type { Events } from '../../events.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import { checkedRoots } from '../../policy/checked-roots.ts';
import type { OwnFiles } from '../../policy/own-files.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Client, ServerRequest } from '../../types.ts';
import { correctResult } from '../correct-result.ts';
import { type CallResult, type FoundCall, type RunningCall, withText } from '../step.ts';

export interface DispatchOptions {
  elicitation: Elicitation;
  ownFiles: OwnFiles;
  /** Who answers tools' questions during this client's calls. */
  routeOf(client: Client): ElicitationRoute;
  servers: Pick<Servers, 'callTimeoutMs' | 'use'>;
  events: Pick<Events, 'on'>;
}

/** The origin of server requests. Each wait for the user is reported to it. */
interface Origin extends RequestOrigin {
  whileWaitingForUser?: RunningCall['detached']['whileWaitingForUser'];
}

export function createDispatch({ elicitation, ownFiles, routeOf, servers, events }: DispatchOptions) {
  return async (call: FoundCall): Promise<CallResult> => {
    call.isDispatched = true;
    const { client, server, tool, meta, signal, detached } = call;
    const unanswered = new Set<Unanswered>();
    const origin: Origin = {
      client: client.id,
      tool,
      whileWaitingForUser: detached.whileWaitingForUser,
      onUnanswered: (reason) => void unanswered.add(reason),
    };
    const answer = (request: ServerRequest, within: AbortSignal) => {
      // If several calls may have caused the request, all of them wait for the answer, and the request outlives this call.
      const until = request.origins ? within : AbortSignal.any([within, signal]);
      const context = { client, server, tool, callId: call.id, signal: until, elicitation, route: routeOf(client) };
      const answered = answerServerRequest(request, { ...context, onUnanswered: origin.onUnanswered });
      // This request needs no user, so the calls' timeouts keep running.
      if (request.method === 'roots/list')
        return answered.then((answer) =>
          call.mayNameOwnFiles
            ? answer
            : checkedRoots(ownFiles, { args: { arguments: call.arguments, meta }, tool: call.found }, answer),
        );
      for (const waiting of (request.origins ?? [origin]) as (Origin | undefined)[])
        waiting?.whileWaitingForUser?.(answered).catch(() => undefined);
      return answered;
    };
    const send = () =>
      servers.use(server).request({
        method: 'tools/call',
        params: { name: tool, arguments: call.arguments, ...(meta && { _meta: meta }) },
        signal,
        timeoutMs: servers.callTimeoutMs(server),
        onProgress: call.onProgress && ((params) => detached.progress.forward(params)),
        onLog: call.onLog,
        logLevel: call.logLevel,
        origin,
        onServerRequest: answer,
        roots: call.roots,
        session: client.id,
        caller: call.caller,
        mayRepeat: call.found.isRepeatable,
        isTaskOnly: call.found.isTaskOnly,
      });
    /** Opens the pages that the server requires before it accepts the call, or lets the client open them. */
    const sendAgain = (error: unknown): Promise<CallResult> => {
      const route = routeOf(client);
      if (clientOpensUrls(client, route)) {
        route.forwardedUrls.addFromError(error, client, server);
        throw urlsForClient(error, { server, tool });
      }
      return openPages(error, send, {
        server,
        tool,
        signal,
        timeoutMs: route.timeoutMs,
        ask: (params) => answer({ method: 'elicitation/create', params }, signal),
        whileWaitingForUser: detached.whileWaitingForUser,
        onCompleted: (listener) =>
          events.on('url.completed', (done) => done.server === server && listener(done.elicitationId)),
      });
    };
    const released = call.found.annotations.controlsScreen ? elicitation.screenControlled() : undefined;
    try {
      const result = correctResult(await send().catch(sendAgain));
      return unanswered.size === 0 ? result : withText(result, note(unanswered));
    } catch (error) {
      throw unanswered.size === 0 ? error : failureWithNote(error, unanswered, { server, tool });
    } finally {
      released?.();
    }
  };
}

/** True if the client opens the pages of URL elicitations itself. */
const clientOpensUrls = ({ request, capabilities }: Client, { routing, enabled }: ElicitationRoute) =>
  enabled && request !== undefined && canElicit(capabilities, true) && routing !== 'toolkeep';

const notes: Record<Unanswered, string> = {
  'no-ui':
    'Toolkeep: the tool asked a question, but no Toolkeep window is open and this client cannot ask, so the question was canceled. No user saw it. Open Toolkeep and try again.',
  'too-many':
    'Toolkeep: the tool asked a question while too many questions were open, so it was canceled. No user saw it. Try again later.',
  disabled:
    "Toolkeep: the tool asked a question, and the user has disabled tools' questions, so it was declined. No user saw it.",
  timeout: 'Toolkeep: the tool asked a question that was not answered in time, so it was canceled.',
};

/** The server's own error with a note for each reason. Any other error stays unchanged. */
function failureWithNote(
  error: unknown,
  unanswered: ReadonlySet<Unanswered>,
  place: { server: string; tool: string },
): unknown {
  if (!(error instanceof RpcError)) return error;
  return fail('ELICITATION_UNAVAILABLE', `${note(unanswered)} The tool then failed: ${error.message}`, place);
}

const note = (unanswered: ReadonlySet<Unanswered>) => [...unanswered].map((reason) => notes[reason]).join(' ');
