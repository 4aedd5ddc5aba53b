/** Text about a confined server: what it may use, what it reached, and how to allow what it was refused. */
import type { ConfinementReport, ReportedHost } from '../../../shared/model/sandbox.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { isPartlyConfined, wasOnlyRefused } from '../../../shared/server-facts.ts';
import { count, safe } from '../terminal.ts';

export const confinedLabel = (server: ServerView) => (isPartlyConfined(server) ? 'partly confined' : 'confined');

export function confinementLines(
  server: string,
  { may, hosts, refusedFolders, held, standIns }: ConfinementReport,
): string[] {
  const list = (all: readonly string[]) => (all.length > 0 ? all.map(safe).join(', ') : 'nothing');
  const reach = may.ask ? [...may.reach, 'other hosts after a question'] : may.reach;
  return [
    `  May read: ${list(may.read)}`,
    `  May write: ${list(may.write)}`,
    `  May reach: ${list(reach)}`,
    ...hosts.map((host) => `    ${hostText(server, host, may.ask)}`),
    ...refusedFolders.map((folder) => `  Was refused: ${safe(folder)}${allowText(server, `files=${folder}`, may.ask)}`),
    ...(standIns.length > 0 ? [`  Does not know: ${list(standIns)}`] : []),
    ...held.map(({ name, reason }) => `  Knows ${safe(name)}, because ${safe(reason)}`),
  ];
}

function hostText(server: string, host: ReportedHost, mayAllow: boolean): string {
  const { address, reached, refused, secrets } = host;
  const facts = [
    ...(reached > 0 ? [count(reached, 'connection')] : []),
    ...(secrets.length > 0 ? [`received ${secrets.map(safe).join(', ')}`] : []),
    ...(refused > 0 ? [count(refused, 'refusal')] : []),
  ];
  return `${safe(address)}: ${facts.join(', ')}${allowText(server, `network=${address}`, mayAllow && wasOnlyRefused(host))}`;
}

/** The destinations, as `toolkeep allow` takes them, that a confined server was refused. */
export function refusalsOf({ confinement }: ServerView): string[] {
  if (!confinement?.may.ask) return [];
  return [
    ...confinement.hosts.filter(wasOnlyRefused).map(({ address }) => `network=${address}`),
    ...confinement.refusedFolders.map((folder) => `files=${folder}`),
  ];
}

/** The command that allows it, if its words need no quotes. */
function allowText(server: string, destination: string, isOffered: boolean): string {
  const isSafe = /^[\w./:=-]+$/.test(destination) && /^[\w.-]+$/.test(server);
  return isOffered && isSafe ? `; to allow it: toolkeep allow ${server} --destination ${destination}` : '';
}
