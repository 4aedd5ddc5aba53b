/** Asks the user whether a confined server may reach a host, or send it a secret, that its limits do not name. */
import type { Destination } from '../../../shared/model/question.ts';
import { maxSecretHosts } from '../../../shared/model/sandbox.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { MayReach, NetworkHost } from '../types.ts';
import { type KnownDestinations, networkKind, secretKind } from './known-destinations.ts';

interface Asked {
  /** False while the question is open. */
  isAllowed: boolean;
  answer: Promise<boolean>;
}

/** Open and refused questions per server. Further hosts are refused without a question. */
const maxQuestions = 3;
const everyone = { id: '', name: '' };

/** Asks once for each server and host. "Always" is kept; every other answer until Toolkeep ends. */
export function createMayReach(options: {
  known: Pick<KnownDestinations, 'isKnown' | 'of' | 'addForAll'>;
  elicitation: Pick<Elicitation, 'ask' | 'canAsk'>;
  timeoutMs(): number;
}): MayReach {
  const { known, elicitation } = options;
  const asked = new Map<string, Map<string, Asked>>();

  async function ask(server: string, connection: NetworkHost, destination: Destination): Promise<boolean> {
    const answer = await elicitation.ask(
      { kind: 'connection', message: '', fields: [], from: { server }, connection },
      { timeoutMs: options.timeoutMs() },
    );
    if (answer.action !== 'accept') return false;
    if (answer.scope === 'always') known.addForAll(server, [destination]);
    return true;
  }

  const hostsOf = (server: string, secret: string): number => {
    const ofSecret = (value: string) => value.startsWith(`${secret}@`);
    const always = known
      .of({ server, caller: everyone })
      .filter(({ kind, value }) => kind === secretKind && ofSecret(value));
    const untilEnd = [...(asked.get(server) ?? [])].filter(([value, { isAllowed }]) => isAllowed && ofSecret(value));
    return new Set([...always.map(({ value }) => value), ...untilEnd.map(([value]) => value)]).size;
  };

  return async (server, target) => {
    const { host, port, secret } = target;
    const value = secret === undefined ? `${host}:${port}` : `${secret}@${host}:${port}`;
    const destination = { kind: secret === undefined ? networkKind : secretKind, value };
    if (known.isKnown({ server, caller: everyone }, destination)) return true;
    const ofServer = asked.get(server) ?? new Map<string, Asked>();
    const given = ofServer.get(value);
    if (given) return given.answer;
    if (secret !== undefined && hostsOf(server, secret) >= maxSecretHosts) return false;
    if (!elicitation.canAsk() || [...ofServer.values()].filter((one) => !one.isAllowed).length >= maxQuestions)
      return false;
    const one: Asked = { isAllowed: false, answer: ask(server, target, destination) };
    asked.set(server, ofServer.set(value, one));
    one.isAllowed = await one.answer;
    return one.isAllowed;
  };
}
