/** Converts YAML from server documentation to JSON. */

/** True for `key:` at the end of a line or before a space. False for JSON, TOML, a URL or a command line. */
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
