/** Links on websites that install a server in a client: `cursor://…/mcp/install`, `vscode:mcp/install`. */

/** The name and the configuration (JSON) in a link; undefined for any other text. */
export function serverOfLink(link: string): { name?: string; json: string } | undefined {
  const vscode = /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install\?(.+)$/s.exec(link)?.[1];
  if (vscode) {
    const json = decoded(() => decodeURIComponent(vscode));
    return json === undefined ? undefined : { json };
  }
  const url = URL.parse(link);
  if (!url) return undefined;
  const isCursor = url.protocol === 'cursor:' || /^(?:www\.)?cursor\.com$/.test(url.hostname);
  const isToolkeep = url.protocol === 'toolkeep:';
  const config = url.searchParams.get('config');
  if (!(isCursor || isToolkeep) || !config || !/\bmcp\/install\b|install-mcp\b/.test(url.href)) return undefined;
  const json = decoded(() => new TextDecoder().decode(Uint8Array.from(atob(config), (char) => char.charCodeAt(0))));
  const name = url.searchParams.get('name');
  return json === undefined ? undefined : { json, ...(name && { name }) };
}

function decoded(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
