/** Asks the user whether a confined server may reach a host, send it a secret, or use a folder, that its limits do not name. */
import type { Destination, Question } from '../../../shared/model/question.ts';
import { maxSecretHosts } from '../../../shared/model/sandbox.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Events } from '../events.ts';
import type { MayReach, OpenedFolders } from '../types.ts';
import { filesKind, type KnownDestinations, networkKind, secretKind } from './known-destinations.ts';
import { isInside } from './paths.ts';

type Target = NonNullable<Question['connection']>;

interface Asked {
  destination: Destination;
  /** False while the question is open. */
  isAllowed: boolean;
  answer: Promise<boolean>;
}

/** Open and refused questions per server. Further hosts are refused without a question. */
const maxQuestions = 3;
const everyone = { id: '', name: '' };

/** Asks once for each server and target. "Always" is kept; every other answer until Toolkeep ends. */
export function createConnections(options: {
  events: Pick<Events, 'on'>;
  known: Pick<KnownDestinations, 'isKnown' | 'of' | 'addForAll'>;
  elicitation: Pick<Elicitation, 'ask' | 'canAsk'>;
  timeoutMs(): number;
}): { mayReach: MayReach; folders: OpenedFolders } {
  const { known, elicitation } = options;
  const asked = new Map<string, Map<string, Asked>>();
  options.events.on('server.forgotten', ({ server }) => asked.delete(server));

  async function ask(server: string, connection: Target, destination: Destination): Promise<boolean> {
    const answer = await elicitation.ask(
      { kind: 'connection', message: '', fields: [], from: { server }, connection },
      { timeoutMs: options.timeoutMs() },
    );
    if (answer.action !== 'accept') return false;
    if (answer.scope === 'always') known.addForAll(server, [destination]);
    return true;
  }

  /** The values of this kind that the user allows the server, always or until Toolkeep ends. */
  function allowed(server: string, kind: string): string[] {
    const untilEnd = [...(asked.get(server)?.values() ?? [])].flatMap((one) => (one.isAllowed ? one.destination : []));
    const all = [...known.of({ server, caller: everyone }), ...untilEnd];
    return [...new Set(all.filter((one) => one.kind === kind).map(({ value }) => value))];
  }

  async function may(server: string, target: Target): Promise<boolean> {
    const destination = destinationOf(target);
    if (known.isKnown({ server, caller: everyone }, destination)) return true;
    const ofServer = asked.get(server) ?? new Map<string, Asked>();
    const key = `${destination.kind}=${destination.value}`;
    const given = ofServer.get(key);
    if (given) return given.answer;
    if (isOneTooMany(server, target)) return false;
    if (!elicitation.canAsk() || [...ofServer.values()].filter((one) => !one.isAllowed).length >= maxQuestions)
      return false;
    const one: Asked = { destination, isAllowed: false, answer: ask(server, target, destination) };
    asked.set(server, ofServer.set(key, one));
    one.isAllowed = await one.answer;
    return one.isAllowed;
  }

  function isOneTooMany(server: string, target: Target): boolean {
    if (!('secret' in target) || target.secret === undefined) return false;
    return (
      allowed(server, secretKind).filter((value) => value.startsWith(`${target.secret}@`)).length >= maxSecretHosts
    );
  }

  return {
    mayReach: may,
    folders: {
      allowed: (server) => allowed(server, filesKind),
      mayUse: async (server, folder) =>
        allowed(server, filesKind).some((one) => isInside(one, folder)) || (await may(server, { folder })),
    },
  };
}

function destinationOf(target: Target): Destination {
  if ('folder' in target) return { kind: filesKind, value: target.folder };
  const address = `${target.host}:${target.port}`;
  return target.secret === undefined
    ? { kind: networkKind, value: address }
    : { kind: secretKind, value: `${target.secret}@${address}/${target.place ?? ''}` };
}
