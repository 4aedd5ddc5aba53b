/** Records what a confined server may use, and which hosts it reached, for the UIs. */
import type { ConfinementReport, ReportedHost } from '../../../../shared/model/sandbox.ts';
import type { NetworkHost } from '../../types.ts';

export type Report = ReturnType<typeof createReport>;

/** A server may try any number of hosts. */
const maxHosts = 200;
const maxFolders = 50;

/** `onChange` is called for each new host, secret and refusal, not for each connection. */
export function createReport(onChange: () => void = () => undefined) {
  let current: Omit<ConfinementReport, 'hosts' | 'refusedFolders'> | undefined;
  const refusedFolders = new Set<string>();
  const hosts = new Map<string, ReportedHost>();

  function count({ host, port, secret }: NetworkHost, what: 'reached' | 'refused'): void {
    const address = `${host}:${port}`;
    const at = Date.now();
    const found = hosts.get(address) ?? { address, reached: 0, refused: 0, firstAt: at, lastAt: at, secrets: [] };
    const isNew = !hosts.has(address);
    if (isNew && hosts.size >= maxHosts) return;
    hosts.set(address, found);
    found.lastAt = at;
    const isSecret = secret !== undefined && what === 'reached' && !found.secrets.includes(secret);
    if (isSecret) found.secrets.push(secret);
    if (secret === undefined) found[what] += 1;
    if (isNew || isSecret || found[what] === 1) onChange();
  }

  return {
    /** Call at each start. */
    started(facts: Omit<ConfinementReport, 'hosts' | 'refusedFolders'>): void {
      current = facts;
      for (const folder of facts.may.write) refusedFolders.delete(folder);
    },
    reached: (target: NetworkHost) => count(target, 'reached'),
    refused: (target: NetworkHost) => count(target, 'refused'),
    refusedFolder(folder: string): void {
      if (refusedFolders.has(folder) || refusedFolders.size >= maxFolders) return;
      refusedFolders.add(folder);
      onChange();
    },
    /** Undefined before the first start. */
    view: (): ConfinementReport | undefined =>
      current && { ...current, hosts: structuredClone([...hosts.values()]), refusedFolders: [...refusedFolders] },
  };
}
