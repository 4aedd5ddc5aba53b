/** Web pages that a server wanted opened and a client took on: when the server says that one is done, that client is told. */
import { UpstreamRpcError } from '../upstream/upstream.ts';
import type { Caller } from './types.ts';

type Params = Record<string, unknown>;

/** `URLElicitationRequiredError` of 2025-11-25. */
export const pageRequired = -32042;
/** A server that never says that its pages are done must not fill the memory. */
const mostPerServer = 200;

export interface PassedPages {
  /** The client is asked to open a page. Call the result when it does not. */
  passed(caller: Caller, server: string, elicitationId: unknown): () => void;
  /** The same for the pages that a call is refused for, when the refusal itself goes to the client. */
  passedWith(error: unknown, caller: Caller, server: string): void;
  left(callerId: string): void;
}

/**
 * `onCompleted` tells of each page that a server says is done. An id is only good for the server that gave it, so that none
 * can end the page of another. Modern clients have no such notice: they learn of the end by calling again.
 */
export function createPassedPages(
  onCompleted: (listener: (server: string, elicitationId: string) => void) => void,
): PassedPages {
  const open = new Set<{ caller: Caller; server: string; elicitationId: string }>();

  function passed(caller: Caller, server: string, elicitationId: unknown): () => void {
    if (!caller.notify || typeof elicitationId !== 'string') return () => undefined;
    const ofServer = [...open].filter((page) => page.server === server);
    if (ofServer[0] && ofServer.length >= mostPerServer) open.delete(ofServer[0]);
    const page = { caller, server, elicitationId };
    open.add(page);
    return () => void open.delete(page);
  }

  onCompleted((server, elicitationId) => {
    const told = new Set<string>();
    for (const page of open) {
      if (page.server !== server || page.elicitationId !== elicitationId) continue;
      open.delete(page);
      if (told.has(page.caller.id)) continue;
      told.add(page.caller.id);
      page.caller.notify?.('notifications/elicitation/complete', { elicitationId });
    }
  });

  return {
    passed,
    passedWith(error, caller, server) {
      for (const { elicitationId } of pagesOf(error) ?? []) passed(caller, server, elicitationId);
    },
    left(callerId) {
      for (const page of open) if (page.caller.id === callerId) open.delete(page);
    },
  };
}

/** The pages that the person has to go to before a call is accepted; undefined for any other error. */
export function pagesOf(error: unknown): Params[] | undefined {
  if (!(error instanceof UpstreamRpcError) || error.code !== pageRequired) return undefined;
  const pages = (error.data as { elicitations?: unknown } | undefined)?.elicitations;
  return Array.isArray(pages) && pages.length > 0
    ? pages.filter((page) => typeof page === 'object' && page)
    : undefined;
}
