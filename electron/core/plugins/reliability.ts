/** Applies a plug-in's reliability rules to a failed listing. */
import type { ListingError, ReliabilityRule } from './plugin-api.ts';

/** The maximum number of attempts, whatever the rules say. */
const maxAttempts = 10;
const defaultDelayMs = 250;

export interface Decision {
  action: ReliabilityRule['then'];
  /** The rule's own name for the failure. */
  kind?: string;
  /** Milliseconds before the next attempt. */
  delayMs: number;
}

/** `attempt` counts from 1. Without a matching rule, the listing fails immediately. */
export function decide(rules: readonly ReliabilityRule[] = [], error: unknown, attempt: number): Decision {
  const state = { error: listingError(error), attempt };
  const rule = rules.find(({ when }) => when(state));
  if (!rule) return { action: 'fail-fast', delayMs: 0 };
  const action = rule.then === 'retry' && attempt >= maxAttempts ? 'fail-fast' : rule.then;
  return { action, kind: rule.kind, delayMs: (rule.delayMs ?? defaultDelayMs) * 2 ** (attempt - 1) };
}

/** `fetch` reports why a host is unreachable only in the cause. */
function listingError(error: unknown): ListingError {
  if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) };
  const { name, message, code, status, cause } = error as Record<string, unknown>;
  const found = code ?? (cause as { code?: unknown } | undefined)?.code ?? status;
  return {
    name: String(name ?? 'Error'),
    message: String(message ?? ''),
    ...(found !== undefined && { code: String(found) }),
  };
}
