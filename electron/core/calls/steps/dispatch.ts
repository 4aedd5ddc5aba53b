/** Sends the call to its server, and answers the server's requests meanwhile. */
import type { Elicitation, Unanswered } from '../../elicitation/elicitation.ts';
import type { ElicitationRoute } from '../../elicitation/route.ts';
import { answerServerRequest, canElicit, type RequestOrigin } from '../../elicitation/server-requests.ts';
import { urlsForClient, withUrlElicitation } from '../../elicitation/url-elicitation.ts';
import type { Events } from '../../events.ts';
import { checkedRoots } from '../../policy/checked-roots.ts';
import type { OwnFiles } from '../../policy/own-files.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Client, ServerRequest } from '../../types.ts';
import { rootsOfCall } from '../roots-of-call.ts';
import type { CallResult, FoundCall, RunningCall } from '../step.ts';
import { withUnansweredNote } from '../unanswered-note.ts';

export interface DispatchOptions {
  elicitation: Elicitation;
  ownFiles: OwnFiles;
  /** Who answers tools' questions during this client's calls. */
  routeOf(client: Client): ElicitationRoute;
  servers: Pick<Servers, 'use'>;
  /** Milliseconds without progress after which a call times out. */
  timeoutMs(server: string): number;
  events: Pick<Events, 'on'>;
}

/** The origin of server requests. Each wait for the user is reported to it. */
interface Origin extends RequestOrigin {
  whileWaitingForUser?: RunningCall['detached']['whileWaitingForUser'];
}

export function createDispatch(options: DispatchOptions) {
  return (call: FoundCall): Promise<CallResult> => {
    call.isDispatched = true;
    const { client, server, tool, signal } = call;
    const route = options.routeOf(client);
    const unanswered = new Set<Unanswered>();
    const origin = originOf(call, unanswered);
    const answer = (request: ServerRequest, within: AbortSignal) => {
      // If several calls may have caused the request, all of them wait for the answer, and the request outlives this call.
      const until = request.origins ? within : AbortSignal.any([within, signal]);
      const context = { client, server, tool, callId: call.id, signal: until, elicitation: options.elicitation, route };
      const answered = answerServerRequest(request, { ...context, onUnanswered: origin.onUnanswered });
      // This request needs no user, so the calls' timeouts keep running.
      if (request.method === 'roots/list')
        return answered.then((answer) =>
          call.mayNameOwnFiles
            ? answer
            : checkedRoots(options.ownFiles, { args: argumentsOf(call), tool: call.found }, answer),
        );
      for (const waiting of (request.origins ?? [origin]) as (Origin | undefined)[])
        waiting?.whileWaitingForUser?.(answered).catch(() => undefined);
      return answered;
    };
    const send = () => request(options, call, origin, answer);
    const released = call.found.annotations.controlsScreen ? options.elicitation.screenControlled() : undefined;
    return withUnansweredNote(
      clientOpensUrls(client, route)
        ? sendForClient(send, call, route)
        : withUrlElicitation(send, () => ({
            server,
            tool,
            signal,
            timeoutMs: route.timeoutMs,
            ask: (params) => answer({ method: 'elicitation/create', params }, signal),
            whileWaitingForUser: call.detached.whileWaitingForUser,
            onCompleted: (listener) =>
              options.events.on('url.completed', (done) => done.server === server && listener(done.elicitationId)),
          })),
      unanswered,
      { server, tool },
    ).finally(() => released?.());
  };
}

const argumentsOf = ({ arguments: args, meta }: FoundCall) => ({ arguments: args, meta });

function originOf({ client, tool, detached }: FoundCall, unanswered: Set<Unanswered>) {
  return {
    client: client.id,
    tool,
    whileWaitingForUser: detached.whileWaitingForUser,
    onUnanswered: (reason: Unanswered) => void unanswered.add(reason),
  };
}

function request(
  options: DispatchOptions,
  call: FoundCall,
  origin: Origin,
  onServerRequest: (request: ServerRequest, within: AbortSignal) => Promise<CallResult>,
): Promise<CallResult> {
  const { server, tool, meta, detached } = call;
  return options.servers.use(server).request({
    method: 'tools/call',
    params: { name: tool, arguments: call.arguments, ...(meta && { _meta: meta }) },
    signal: call.signal,
    timeoutMs: options.timeoutMs(server),
    onProgress: call.onProgress && detached.progress.forward,
    onLog: call.onLog,
    logLevel: call.logLevel,
    origin,
    onServerRequest,
    roots: () => rootsOfCall(call),
    session: call.client.id,
    caller: call.caller,
    mayRepeat: call.found.isRepeatable,
    isTaskOnly: call.found.isTaskOnly,
  });
}

/** True if the client opens the pages of URL elicitations itself. */
const clientOpensUrls = ({ request, capabilities }: Client, { routing, enabled }: ElicitationRoute) =>
  enabled && request !== undefined && canElicit(capabilities, true) && routing !== 'toolkeep';

async function sendForClient(
  send: () => Promise<CallResult>,
  { client, server, tool }: FoundCall,
  { forwardedUrls }: ElicitationRoute,
): Promise<CallResult> {
  try {
    return await send();
  } catch (error) {
    forwardedUrls.addFromError(error, client, server);
    throw urlsForClient(error, { server, tool });
  }
}
