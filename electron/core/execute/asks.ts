/** What a server asks while its tool runs: elicitation goes to the person or the client, sampling and roots to the client. */
import type { Elicitation } from '../elicitation/elicitation.ts';
import { answerToMcp, questionFromMcp } from '../elicitation/elicitation.ts';
import type { UpstreamAsk } from '../upstream/upstream.ts';
import type { ExecuteCall } from './execute.ts';

/** `here`: the person answers in Gatehouse. `client`: the client answers when it can, else here. `both`: first answer wins. */
export type AskRouting = 'here' | 'client' | 'both';

/** The result for the server's request; rejects when the client refuses or cannot. */
export async function answerAsk(
  ask: UpstreamAsk,
  context: { call: ExecuteCall; callId: string; signal: AbortSignal; elicitation: Elicitation; routing: AskRouting },
): Promise<Record<string, unknown>> {
  const { call, signal } = context;
  switch (ask.method) {
    case 'elicitation/create':
      return answerElicitation(ask.params, context);
    case 'roots/list':
      if (!call.caller.ask || !call.caller.capabilities.roots) return { roots: [] };
      return call.caller.ask(ask.method, ask.params, signal);
    case 'sampling/createMessage':
      if (!call.caller.ask || !call.caller.capabilities.sampling)
        throw new Error(`${call.caller.name} does not offer sampling.`);
      return call.caller.ask(ask.method, ask.params, signal);
  }
}

async function answerElicitation(
  params: Record<string, unknown>,
  { call, callId, signal, elicitation, routing }: Parameters<typeof answerAsk>[1],
): Promise<Record<string, unknown>> {
  const { caller } = call;
  const here = async (within: AbortSignal) => {
    const question = questionFromMcp(params, { client: caller.name, server: call.server, tool: call.tool, callId });
    return answerToMcp(question, await elicitation.ask(question, { signal: within }));
  };
  const clientCan = caller.ask !== undefined && supports(caller.capabilities.elicitation, params);
  if (!clientCan || !caller.ask || routing === 'here') return here(signal);
  if (routing === 'client' || !elicitation.canAsk()) return caller.ask('elicitation/create', params, signal);

  const decided = new AbortController();
  const within = AbortSignal.any([signal, decided.signal]);
  try {
    return await Promise.any([caller.ask('elicitation/create', params, within), here(within)]);
  } finally {
    decided.abort();
  }
}

/** An empty elicitation capability means form mode; URL mode has to be declared. */
function supports(capability: unknown, params: Record<string, unknown>): boolean {
  if (typeof capability !== 'object' || capability === null) return false;
  return params.mode === 'url' ? 'url' in capability : 'form' in capability || !('url' in capability);
}
