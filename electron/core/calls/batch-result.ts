/** The result of a batch: for each call in order its status and the content that its server returned. */
import type { Failure } from '../../../shared/failure.ts';
import type { JsonObject } from '../types.ts';
import type { JournalStatus } from './batch-journal.ts';
import type { CallResult } from './step.ts';

export interface BatchItem {
  server: string;
  tool: string;
  status: 'ok' | 'denied' | 'error' | 'not_run';
  result?: CallResult;
  failure?: Failure;
}

/** The failure on one line. */
export const textOf = ({ code, message, hint }: Failure) => [code, message, hint].filter(Boolean).join(' ');

/** `shown` returns a server's result as the client can read it. */
export function batchResult(items: BatchItem[], shown: (server: string, result: CallResult) => CallResult): CallResult {
  const content = items.flatMap(({ server, tool, status, result, failure }, index): JsonObject[] => {
    const reason = failure ? `: ${textOf(failure)}` : '';
    const line = { type: 'text', text: `${index + 1}. ${status} ${server}/${tool}${reason}` };
    return [line, ...(result ? contentOf(shown(server, result)) : [])];
  });
  const isError = items.some(({ status }) => status === 'error' || status === 'not_run');
  return { content, ...(isError && { isError }) };
}

/** The result of a request for calls whose last results may not have reached the client. */
export function unreadResult(
  calls: readonly { server: string; tool: string }[],
  statuses: ReadonlyMap<number, JournalStatus>,
): CallResult {
  const lines = calls.map(
    ({ server, tool }, index) => `${index + 1}. ${statuses.get(index) ?? 'not_run'} ${server}/${tool}`,
  );
  const text = `The results of an earlier request for these calls may be lost. None ran again. This is how far it came; a call with the status "unknown" may have run:\n${lines.join('\n')}\nSend only the calls that should still run.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The structured content as text if the server returned nothing else, because a result has only one. */
function contentOf({ content, structuredContent }: CallResult): JsonObject[] {
  if (Array.isArray(content) && content.length > 0) return content as JsonObject[];
  return structuredContent === undefined ? [] : [{ type: 'text', text: JSON.stringify(structuredContent) }];
}
