/** Passes the status and the headers of an answer on to a confined server. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * Whether the head of an answer was passed on. Node.js refuses to send some that it reads, such as one with a status below 100, and
 * nothing else would catch its error. The connection then ends.
 */
export function passHead(response: ServerResponse, status = 502, headers: OutgoingHttpHeaders = {}): boolean {
  try {
    response.writeHead(status, headers);
    return true;
  } catch {
    response.destroy();
    return false;
  }
}
