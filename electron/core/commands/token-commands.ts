/** Commands for the bearer tokens of HTTP clients. */
import { fail } from '../../../shared/failure.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

export function tokenCommands({ tokens, profiles, events }: CommandServices) {
  const changed = () => events.emit('core.changed', {});
  return {
    'tokens.list': () => tokens.list(),
    'tokens.create': ({ name, kind, profile }) => {
      if (profile !== undefined && !profiles.find(profile))
        throw fail('PROFILE_NOT_FOUND', `There is no profile "${profile}".`);
      const token = tokens.create(name, { kind, profile });
      changed();
      return { token };
    },
    'tokens.revoke': ({ name }) => {
      tokens.revoke(name);
      changed();
    },
    'tokens.rotate': ({ name }) => {
      const token = tokens.rotate(name);
      changed();
      return { token };
    },
  } satisfies Partial<CommandHandlers>;
}
