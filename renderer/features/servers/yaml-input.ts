/** YAML in the documentation of servers, as JSON. */

/** `key:` at the end of a line, or followed by a blank; neither JSON, nor TOML, nor a URL, nor a command line. */
const looksLikeYaml = (text: string) => /^\s*(?:-\s+)?["']?[\w.-]+["']?:(?:\s|$)/.test(text) && text.includes('\n');

/** Converts YAML to JSON, and returns other text unchanged. Loads the parser on first use. */
export async function withYamlAsJson(text: string): Promise<string> {
  if (!looksLikeYaml(text)) return text;
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : text;
  } catch {
    return text;
  }
}
