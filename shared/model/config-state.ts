/** Which configuration is in effect. */
import * as z from 'zod';

/**
 * `file`: what the files say. After an error in the user's file: `last`, its last valid version; `rules`, only the rules of that
 * version, because Core has not read a valid file since it started; `defaults`, if there never was a valid one.
 */
export const inEffectSchema = z.enum(['file', 'last', 'rules', 'defaults']);
export type InEffect = z.infer<typeof inEffectSchema>;

/** Whether the servers of the config file can run; if not, why. */
export const discoveryStateSchema = z.enum(['enabled', 'disabled', 'invalid']);
export type DiscoveryState = z.infer<typeof discoveryStateSchema>;

export function discoveryState(enabled: boolean, inEffect: InEffect): DiscoveryState {
  if (inEffect === 'rules' || inEffect === 'defaults') return 'invalid';
  return enabled ? 'enabled' : 'disabled';
}
