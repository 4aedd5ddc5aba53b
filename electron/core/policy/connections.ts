/** Asks the user whether a confined server may reach a host that its limits do not name. */
import type { Destination } from '../../../shared/model/question.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { MayReach, NetworkHost } from '../types.ts';
import { type KnownDestinations, networkKind } from './known-destinations.ts';

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
  known: Pick<KnownDestinations, 'isKnown' | 'addForAll'>;
  elicitation: Pick<Elicitation, 'ask' | 'canAsk'>;
  timeoutMs(): number;
}): MayReach {
  const { known, elicitation } = options;
  const asked = new Map<string, Map<string, Asked>>();

  async function ask(server: string, { host, port }: NetworkHost, destination: Destination): Promise<boolean> {
    const answer = await elicitation.ask(
      { kind: 'connection', message: '', fields: [], from: { server }, connection: { host, port } },
      { timeoutMs: options.timeoutMs() },
    );
    if (answer.action !== 'accept') return false;
    if (answer.scope === 'always') known.addForAll(server, [destination]);
    return true;
  }

  return async (server, target) => {
    const value = `${target.host}:${target.port}`;
    const destination = { kind: networkKind, value };
    if (known.isKnown({ server, caller: everyone }, destination)) return true;
    const ofServer = asked.get(server) ?? new Map<string, Asked>();
    const given = ofServer.get(value);
    if (given) return given.answer;
    if (!elicitation.canAsk() || [...ofServer.values()].filter((one) => !one.isAllowed).length >= maxQuestions)
      return false;
    const one: Asked = { isAllowed: false, answer: ask(server, target, destination) };
    asked.set(server, ofServer.set(value, one));
    one.isAllowed = await one.answer;
    return one.isAllowed;
  };
}
