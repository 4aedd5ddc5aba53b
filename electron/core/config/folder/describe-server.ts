/** Describes a server to the user, who decides whether to accept it. */
import { type Sandbox, sandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { describeConnection } from '../../secrets/redact.ts';

/** Describes a folder's server, whose program inherits the minimal environment. */
export function describeServer(server: ServerConfig): string {
  return `server "${server.name}": ${describeConnectionInFull(server, ['minimal'])}`;
}

/** The command line or URL, the names of environment variables and headers, without secrets, and the confinement. */
export function describeConnectionInFull({ connection, sandbox }: ServerConfig, inherited: string[] = []): string {
  const facts =
    connection.type === 'stdio'
      ? [
          named('environment', [...inherited, ...Object.keys(connection.env)]),
          connection.cwd ? `in ${connection.cwd}` : '',
          envFile(),
          describeSandbox(sandbox),
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

function describeSandbox(sandbox: Sandbox | undefined): string {
  if (sandbox === undefined) return '';
  const limits = sandboxLimits(sandbox);
  if (!limits) return 'not confined';
  const secrets = Object.entries(limits.secrets ?? {}).map(
    ([name, { hosts = [], hold }]) =>
      `${name}${hold ? ' itself' : ''}${hosts.length > 0 ? ` for ${hosts.join(' ')}` : ''}`,
  );
  const network = [...limits.network.allow, ...(limits.network.local ? ['the local network'] : [])];
  const allowed = [
    named('reads', limits.files.read),
    named('writes', limits.files.write),
    named('reaches', network),
    named('secrets', secrets),
  ];
  return ['confined', ...allowed.filter((fact) => fact !== '')].join('; ');
}
