/** The title of an entry, unless it says only that it is an MCP server. */
export function entryTitle({ name, title = '' }: { name: string; title?: string | undefined }): string {
  return /[^\s._-]/.test(title.replaceAll(/\b(?:mcp|server)\b/gi, '')) ? title : entryName(name);
}

/** `io.github.acme/notes-mcp-server` becomes `notes`, and `com.notion/mcp` becomes `notion`. */
export function entryName(entry: string): string {
  const [namespace = '', short = namespace] = entry.split('/');
  const plain = (text: string) => text.replaceAll(/(?:^|[-_.])(?:mcp|server)(?=$|[-_.])/gi, '').replace(/^[-_.]+/, '');
  return plain(short) || plain(namespace.split('.').at(-1) ?? '') || short;
}
