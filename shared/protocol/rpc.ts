/** Calls, replies and events over a Wire. All Wires use this implementation, and both ends check what they receive. */
import * as z from 'zod';
import { type Failure, fail, ToolkeepError, toFailure } from '../failure.ts';
import { failureSchema } from '../model/failure.ts';
import { events } from './contract/events.ts';
import { type CommandHandlers, type CommandName, type CoreClient, commands, type EventName } from './contract.ts';
import type { Wire } from './wire.ts';

/** Fields may be absent, because a JSON Wire omits undefined values. */
const frameSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.number(), name: z.string(), input: z.unknown().optional() }),
  z.object({ kind: z.literal('reply'), id: z.number(), value: z.unknown().optional() }),
  z.object({ kind: z.literal('failure'), id: z.number(), failure: failureSchema }),
  z.object({ kind: z.literal('event'), name: z.string(), data: z.unknown().optional() }),
]);
type Frame = z.infer<typeof frameSchema>;

/** Subscribes to all events of Core; returns the unsubscribe function. */
export type Subscribe = (listener: (name: EventName, data: unknown) => void) => () => void;

/** Answers calls on `wire` with `handlers` and forwards every event, until the Wire closes. */
export function serveWire(wire: Wire, handlers: CommandHandlers, subscribe: Subscribe): void {
  const send = (frame: Frame) => wire.send(frame);
  wire.onClose(subscribe((name, data) => send({ kind: 'event', name, data })));
  wire.onFrame(async (raw) => {
    const parsed = frameSchema.safeParse(raw);
    if (!parsed.success || parsed.data.kind !== 'call') return;
    const { id, name, input } = parsed.data;
    try {
      send({ kind: 'reply', id, value: await dispatch(handlers, name, input) });
    } catch (error) {
      send({ kind: 'failure', id, failure: toFailure(error) });
    }
  });
}

/** Validates the input against the contract and runs the command. */
export async function dispatch(handlers: CommandHandlers, name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(commands, name)) throw fail('COMMAND_UNKNOWN', `There is no command "${name}".`);
  const key = name as CommandName;
  const parsed = commands[key].input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '));
    throw fail('INPUT_INVALID', problems.join('\n'));
  }
  const run = handlers[key] as (input: unknown) => unknown;
  return run(parsed.data);
}

/**
 * Commands that only the user may run, in a UI or a terminal. Add a command here if its input approves, loosens or
 * starts something and no script needs it.
 */
const decisions: ReadonlySet<string> = new Set<CommandName>([
  'questions.answer',
  'questions.upload',
  'grants.allowActs',
  'grants.allowDestinations',
  'grants.limit',
  'rules.save',
  'tools.accept',
  'offers.accept',
  'tools.setPolicies',
  'trust.save',
  'trust.restore',
  'servers.save',
  'servers.test',
  'servers.rename',
  'servers.remove',
  'servers.restore',
  'servers.forget',
  'servers.setEnabled',
  'registry.sync',
  'registry.install',
  'registry.revert',
  'bundle.receive',
  'bundle.discard',
  'bundle.plan',
  'bundle.install',
  'clients.setRouting',
  'clients.setBatch',
  'settings.save',
  'secrets.usePassphrase',
  'changes.undo',
]);

const onlyAdds = z.object({ accept: z.array(z.never()).optional(), replace: z.literal(false).optional() });

/**
 * Inputs with which these commands need no decision of the user: an override that only restricts a tool, a pause, a client that may use
 * nothing, a server that is confined, a setup that replaces nothing and has no rules that weaken protection, a review that runs no
 * code, a plan that uses no network.
 */
const harmless: { readonly [name: string]: z.ZodType } = {
  'tools.setPolicy': z.object({
    enabled: z.literal(false).optional(),
    confirm: z.literal('always').optional(),
    destinations: z.literal('known').optional(),
  }),
  // A pause with an end could replace the user's own, which may last longer.
  'core.pause': z.object({ paused: z.literal(true), minutes: z.undefined().optional() }),
  'access.set': z.object({ level: z.literal('off') }),
  'servers.confine': z.object({ isWanted: z.literal(true) }),
  'setup.import': z.union([z.object({ dryRun: z.literal(true) }), onlyAdds]),
  'trust.review': z.object({ runCode: z.undefined().optional() }),
  // Versions other than the latest are read from the registry, over the network.
  'registry.show': z.object({ version: z.undefined().optional() }),
  'registry.plan': z.object({ version: z.undefined().optional(), check: z.literal(false).optional() }),
};

/** The commands that install servers, which a script may do with --yes while no Core runs. */
const installs = /^(?:registry|bundle)\./;

function isDecision({ name, input }: Extract<Frame, { kind: 'call' }>): boolean {
  const allowed = Object.hasOwn(harmless, name) ? harmless[name] : undefined;
  return decisions.has(name) || (allowed !== undefined && !allowed.safeParse(input).success);
}

/**
 * Wraps the Wire of a peer without a user: commands that need the user's decision fail with UI_REQUIRED and never reach
 * Core. `mayInstall`: the peer may still install servers.
 */
export function withoutDecisions(wire: Wire, { mayInstall = false } = {}): Wire {
  const { failure } = fail('UI_REQUIRED', 'This change needs your decision, so a script cannot make it.', {
    hint: 'Run this command in a terminal, or use the window.',
  });
  return refusingDecisions(wire, (name) => (mayInstall && installs.test(name) ? undefined : failure));
}

/** Wraps a Wire: commands that need the user's decision, and for which `refusalOf` has a failure, never reach Core. */
export function refusingDecisions(wire: Wire, refusalOf: (command: string) => Failure | undefined): Wire {
  return {
    ...wire,
    onFrame(listener) {
      wire.onFrame((raw) => {
        const { data: frame } = frameSchema.safeParse(raw);
        const failure = frame?.kind === 'call' && isDecision(frame) ? refusalOf(frame.name) : undefined;
        if (frame?.kind !== 'call' || !failure) return listener(raw);
        return wire.send({ kind: 'failure', id: frame.id, failure } satisfies Frame);
      });
    },
  };
}

/** A typed handle on the Core at the other end of `wire`. Calls fail with CORE_UNREACHABLE when the Wire closes. */
export function connectCore(wire: Wire): CoreClient {
  const pending = new Map<number, { name: CommandName; resolve(value: never): void; reject(error: Error): void }>();
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  let lastId = 0;
  let closed = false;

  wire.onFrame((raw) => {
    const parsed = frameSchema.safeParse(raw);
    if (!parsed.success) return;
    const frame = parsed.data;
    if (frame.kind === 'event') {
      const schema = Object.hasOwn(events, frame.name) ? events[frame.name as EventName] : undefined;
      const data = schema?.safeParse(frame.data);
      if (data?.success)
        for (const listener of listeners.get(frame.name as EventName) ?? []) listener(data.data as never);
      return;
    }
    if (frame.kind === 'call') return;
    const call = pending.get(frame.id);
    if (!call) return;
    pending.delete(frame.id);
    if (frame.kind === 'failure') return call.reject(new ToolkeepError(frame.failure));
    const output = commands[call.name].output.safeParse(frame.value);
    if (output.success) call.resolve(output.data as never);
    else
      call.reject(
        fail('COMMAND_UNKNOWN', `${call.name} returned an invalid response: ${z.prettifyError(output.error)}`),
      );
  });

  wire.onClose(() => {
    closed = true;
    for (const call of pending.values()) call.reject(fail('CORE_UNREACHABLE', 'The connection to Toolkeep was lost.'));
    pending.clear();
  });

  return {
    call: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(fail('CORE_UNREACHABLE', 'The connection to Toolkeep is closed.'));
        lastId += 1;
        pending.set(lastId, { name, resolve, reject });
        wire.send({ kind: 'call', id: lastId, name, input: input[0] } satisfies Frame);
      }),
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => void set.delete(listener);
    },
    close: () => wire.close(),
  };
}
