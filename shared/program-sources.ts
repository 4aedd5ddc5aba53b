/** The programs that often start servers, and where to get them. */

const sources: ReadonlyMap<string, string> = new Map([
  ['npx', 'Node.js from https://nodejs.org'],
  ['node', 'Node.js from https://nodejs.org'],
  ['uvx', 'uv from https://docs.astral.sh/uv'],
  ['uv', 'uv from https://docs.astral.sh/uv'],
  ['docker', 'Docker from https://docs.docker.com/get-docker'],
  ['bunx', 'Bun from https://bun.sh'],
  ['bun', 'Bun from https://bun.sh'],
  ['deno', 'Deno from https://deno.com'],
  ['go', 'Go from https://go.dev/dl'],
]);

/** Names what to install for a missing command or path: `Node.js from https://nodejs.org`; undefined for an unknown command. */
export function sourceOf(command: string): string | undefined {
  const program = command.split(/[\\/]/).at(-1) ?? '';
  return sources.get(program.replace(/\.(?:exe|cmd)$/i, ''));
}
