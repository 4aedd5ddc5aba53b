/** The programs that start packages: checks whether they are installed, and says how to install them. */
import which from 'which';
import type { Host } from '../host.ts';

const fixes: Readonly<Record<string, string>> = {
  npx: 'Install Node.js from https://nodejs.org.',
  uvx: 'Install uv: https://docs.astral.sh/uv/getting-started/installation.',
  docker: 'Install Docker Desktop or Docker Engine, and start it.',
  dnx: 'Install the .NET SDK 10 or newer from https://dotnet.microsoft.com.',
  go: 'Install Go from https://go.dev/dl.',
};

/** Searches the PATH of the login shell, which servers use as well. */
export async function findRuntime(command: string, { env }: Pick<Host, 'env'>) {
  const found = await which(command, { path: env.PATH ?? env.Path ?? '', nothrow: true });
  return { command, isMissing: found === null, fix: fixes[command] ?? '' };
}
