/** All commands and events between Core and a UI. Both sides of the Wire validate against this single contract. */
import type * as z from 'zod';
import { callCommands } from './contract/calls.ts';
import { clientCommands } from './contract/clients.ts';
import { configCommands } from './contract/config.ts';
import { coreCommands } from './contract/core.ts';
import type { events } from './contract/events.ts';
import { historyCommands } from './contract/history.ts';
import { notificationCommands } from './contract/notifications.ts';
import { profilesCommands } from './contract/profiles.ts';
import { promptCommands } from './contract/prompts.ts';
import { questionCommands } from './contract/questions.ts';
import { registryCommands } from './contract/registry.ts';
import { rulesCommands } from './contract/rules.ts';
import { secretsCommands } from './contract/secrets.ts';
import { serversCommands } from './contract/servers.ts';
import { tokenCommands } from './contract/tokens.ts';
import { toolsCommands } from './contract/tools.ts';
import { trustCommands } from './contract/trust.ts';
import { updateCommands } from './contract/updates.ts';

export const commands = {
  ...coreCommands,
  ...serversCommands,
  ...toolsCommands,
  ...promptCommands,
  ...trustCommands,
  ...rulesCommands,
  ...configCommands,
  ...clientCommands,
  ...registryCommands,
  ...secretsCommands,
  ...profilesCommands,
  ...tokenCommands,
  ...questionCommands,
  ...historyCommands,
  ...callCommands,
  ...updateCommands,
  ...notificationCommands,
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<N extends CommandName> = z.input<Commands[N]['input']>;
export type CommandOutput<N extends CommandName> = z.output<Commands[N]['output']>;

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.output<(typeof events)[N]>;

/** A typed handle on Core, identical in the window, the command line and tests. */
export interface CoreClient {
  call<N extends CommandName>(
    name: N,
    ...input: undefined extends CommandInput<N> ? [] : [CommandInput<N>]
  ): Promise<CommandOutput<N>>;
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  close(): void;
}

/** Core's side of the contract: one function per command. */
export type CommandHandlers = {
  [N in CommandName]: (input: z.output<Commands[N]['input']>) => CommandOutput<N> | Promise<CommandOutput<N>>;
};
