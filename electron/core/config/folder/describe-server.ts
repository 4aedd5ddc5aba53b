/** Describes a server to the user, who decides whether to accept it. */
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { describeConnection } from '../../secrets/redact.ts';

/** Describes a folder's server, whose program inherits the minimal environment. */
export function describeServer(server: ServerConfig): string {
  return `server "${server.name}": ${describeConnectionInFull(server, ['minimal'])}`;
}

/** The command line or URL, and the names of environment variables and headers, without secrets. */
export function describeConnectionInFull({ connection }: ServerConfig, inherited: string[] = []): string {
  const facts =
    connection.type === 'stdio'
      ? [
          named('environment', [...inherited, ...Object.keys(connection.env)]),
          connection.cwd ? `in ${connection.cwd}` : '',
          envFile(),
        ]
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
