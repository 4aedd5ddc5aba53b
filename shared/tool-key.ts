/** The key of a tool: `server::tool`. It is stored in files and never changes. */

const separator = '::';

export const toolKey = (server: string, tool: string): string => server + separator + tool;

/** The reverse of `toolKey`. Only the tool's name may contain the separator. */
export function parseToolKey(key: string): { server: string; tool: string } {
  const at = key.indexOf(separator);
  return { server: key.slice(0, at), tool: key.slice(at + separator.length) };
}

/** Whether a server may have this name: `parseToolKey` would otherwise find another one. */
export const fitsToolKey = (server: string): boolean => !server.includes(separator);
