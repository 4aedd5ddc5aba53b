/** The handlers of all commands in the contract. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { accessCommands } from './access-commands.ts';
import { activityCommands } from './activity-commands.ts';
import { bundleCommands } from './bundle-commands.ts';
import { changeCommands } from './change-commands.ts';
import { configCommands } from './config-commands.ts';
import { confineCommands } from './confine-commands.ts';
import { coreCommands } from './core-commands.ts';
import { grantCommands } from './grant-commands.ts';
import { homeCommands } from './home-commands.ts';
import { importCommands } from './import-commands.ts';
import { installCommands } from './install-commands.ts';
import { startNotifications } from './notify.ts';
import { profileCommands } from './profile-commands.ts';
import { promptCommands } from './prompt-commands.ts';
import { registryCommands } from './registry-commands.ts';
import { ruleCommands } from './rule-commands.ts';
import { secretCommands } from './secret-commands.ts';
import { serverCommands } from './server-commands.ts';
import type { CommandServices } from './services.ts';
import { tokenCommands } from './token-commands.ts';
import { toolCommands } from './tool-commands.ts';
import { trustCommands } from './trust-commands.ts';
import { updateCommands } from './update-commands.ts';

export function createCommands(services: CommandServices): CommandHandlers {
  const handlers: CommandHandlers = {
    ...coreCommands(services),
    ...serverCommands(services),
    ...confineCommands(services),
    ...toolCommands(services),
    ...promptCommands(services),
    ...ruleCommands(services),
    ...accessCommands(services),
    ...configCommands(services),
    ...importCommands(services),
    ...installCommands(services),
    ...registryCommands(services),
    ...bundleCommands(services),
    ...secretCommands(services),
    ...profileCommands(services),
    ...grantCommands(services),
    ...tokenCommands(services),
    ...trustCommands(services),
    ...homeCommands(services),
    ...activityCommands(services),
    ...updateCommands(services),
    ...changeCommands(services, () => handlers),
  };
  startNotifications(services, async () => handlers['import.plan']({}));
  return handlers;
}
