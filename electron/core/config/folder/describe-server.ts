/** Describes a server to the user, who decides whether to accept it. */
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { describeConnection } from '../../secrets/redact.ts';

/** Returns the command line or URL, and the names of environment variables and headers, without secrets. */
export function describeServer(server: ServerConfig): string {
  return `server "${server.name}": ${describeConnectionInFull(server)}`;
}

/** Like `describeServer`, but without the server's name. */
export function describeConnectionInFull({ connection }: ServerConfig): string {
  const facts =
    connection.type === 'stdio'
      ? [named('environment', Object.keys(connection.env)), connection.cwd ? `in ${connection.cwd}` : '', envFile()]
      : [named('headers', Object.keys(connection.headers)), ...(connection.replicas ?? [])];
  const details = facts.filter((fact) => fact !== '').join('; ');
  return `${describeConnection(connection)}${details ? ` (${details})` : ''}`;

  function envFile(): string {
    return connection.type === 'stdio' && connection.envFile ? `variables from ${connection.envFile}` : '';
  }
}

function named(label: string, names: string[]): string {
  return names.length > 0 ? `${label}: ${names.join(', ')}` : '';
}
