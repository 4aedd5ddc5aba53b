/** What a server asks while its tool runs: elicitation goes to the person or the client, sampling and roots to the client. */
import type { Elicitation } from '../elicitation/elicitation.ts';
import { answerToMcp, questionFromMcp } from '../elicitation/elicitation.ts';
import { type UpstreamAsk, UpstreamRpcError } from '../upstream/upstream.ts';
import type { ExecuteCall } from './execute.ts';

/** `MissingRequiredClientCapability` of 2026-07-28. */
export const missingCapability = -32021;

/**
 * Who answers: `here`, the person in Gatehouse; `client`, the client when it can, else here; `both`, first answer wins. And
 * what happens when nobody does.
 */
export interface Asking {
  routing: 'here' | 'client' | 'both';
  timeoutMs: number;
  fallback: 'timeout' | 'default' | 'error';
}

/** The result for the server's request; rejects when the client refuses or cannot. */
export async function answerAsk(
  ask: UpstreamAsk,
  context: { call: ExecuteCall; callId: string; signal: AbortSignal; elicitation: Elicitation; asking: Asking },
): Promise<Record<string, unknown>> {
  const { call, signal } = context;
  switch (ask.method) {
    case 'elicitation/create':
      return answerElicitation(ask, context);
    case 'roots/list':
      if (!call.caller.ask || !call.caller.capabilities.roots) return { roots: [] };
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
    case 'sampling/createMessage':
      if (!call.caller.ask || !call.caller.capabilities.sampling)
        throw new UpstreamRpcError(missingCapability, `${call.caller.name} does not offer sampling.`, {
          requiredCapabilities: { sampling: {} },
        });
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
  }
}

async function answerElicitation(
  { params, key }: UpstreamAsk,
  { call, callId, signal, elicitation, asking }: Parameters<typeof answerAsk>[1],
): Promise<Record<string, unknown>> {
  const { caller } = call;
  const here = async (within: AbortSignal) => {
    const question = questionFromMcp(params, { client: caller.name, server: call.server, tool: call.tool, callId });
    return answerToMcp(
      question,
      await elicitation.ask(question, { signal: within, timeoutMs: asking.timeoutMs, fallback: asking.fallback }),
    );
  };
  const clientCan = caller.ask !== undefined && supports(caller.capabilities.elicitation, params);
  if (!clientCan || !caller.ask) return here(signal);
  const clientAsks = (until: AbortSignal) => caller.ask?.('elicitation/create', params, until, key) ?? here(until);
  // Whoever is not there cannot answer: without a face the question goes to the client.
  if (asking.routing === 'client' || !elicitation.canAsk()) return clientAsks(signal);
  if (asking.routing === 'here') return here(signal);

  const decided = new AbortController();
  const within = AbortSignal.any([signal, decided.signal]);
  try {
    return await Promise.any([clientAsks(within), here(within)]);
  } finally {
    decided.abort();
  }
}

/** An empty elicitation capability means form mode; URL mode has to be declared. */
function supports(capability: unknown, params: Record<string, unknown>): boolean {
  if (typeof capability !== 'object' || capability === null) return false;
  return params.mode === 'url' ? 'url' in capability : 'form' in capability || !('url' in capability);
}
