/** What does not run, before anything is asked or sent, and what an agent is told about it (rows A13, B14). */
import { type FailureCode, fail } from '../../../shared/failure.ts';
import type { OffReason } from '../../../shared/model.ts';
import { validateArguments } from '../discovery/discovery.ts';
import type { Offers, Wanted } from './offers.ts';
import type { Caller, FoundTool } from './types.ts';

interface Context {
  isPaused(): boolean;
  isServerEnabled(server: string): boolean;
  offers: Offers;
}

const codes: Record<OffReason, FailureCode> = {
  server: 'SERVER_DISABLED',
  changed: 'TOOL_HELD_BACK',
  rule: 'TOOL_DISABLED',
};

/** Why an agent cannot have this tool of a server that is on; undefined when it can. */
export function offOf(tool: FoundTool, client: string): Wanted | undefined {
  const wanted = { client, server: tool.server, tool: tool.name };
  if (tool.held) {
    return { ...wanted, reason: 'changed', change: { before: tool.held.before, after: definitionOf(tool) } };
  }
  return tool.enabled ? undefined : { ...wanted, reason: 'rule' };
}

/** Refuses a tool that is paused or off; the person may be offered to switch it on. */
export function refuseWhatIsOff(context: Context, caller: Caller, tool: FoundTool): void {
  const place = { server: tool.server, tool: tool.name };
  if (context.isPaused()) throw fail('PAUSED', 'Gatehouse is paused, so no tool runs.', place);
  if (!context.isServerEnabled(tool.server)) refuseServer(context, caller, tool.server, tool.name);
  const off = offOf(tool, caller.name);
  if (off?.reason === 'changed')
    refuse(context, `"${tool.name}" changed since it was accepted and waits for the person.`, off);
  if (off) refuse(context, `"${tool.name}" is switched off by a rule of the person.`, off);
}

export function refuseServer(context: Context, caller: Caller, server: string, tool: string): never {
  return refuse(context, `The server "${server}" is switched off.`, {
    ...{ client: caller.name, server, tool, reason: 'server' },
  });
}

function refuse({ offers }: Context, message: string, wanted: Wanted): never {
  const told = offers.want(wanted);
  throw fail(codes[wanted.reason], message, { server: wanted.server, tool: wanted.tool, ...(told && { hint: told }) });
}

const definitionOf = ({ name, title, description, inputSchema, outputSchema }: FoundTool): Record<string, unknown> => ({
  ...{ name, title, description, inputSchema },
  ...(outputSchema && { outputSchema }),
});

export function refuseBadArguments(tool: FoundTool, args: Record<string, unknown>): void {
  const checked = validateArguments(tool, args);
  if (checked.ok) return;
  throw fail('ARGUMENTS_INVALID', `The arguments do not fit "${tool.name}": ${checked.problems.join('; ')}`, {
    server: tool.server,
    tool: tool.name,
  });
}
