/** The failure of a change to a server that a configuration file defines. */
import { fail } from '../../../shared/failure.ts';
import type { CommandServices } from './services.ts';

export function readOnly({ configStore }: Pick<CommandServices, 'configStore'>, server: string, hint: string) {
  const source = configStore.state.file ?? 'a configured source';
  return fail('CONFIG_READ_ONLY', `"${server}" comes from ${source}.`, { server, hint });
}
