/** The output of a command, for a component that needs it alone. */
import { useMemo } from 'react';
import type { CommandInput, CommandName, CommandOutput, EventName } from '../../shared/protocol/contract.ts';
import { createResource, type ResourceState, useResource } from './resource.ts';
import { useStores } from './stores.ts';

type Loaded<T> = ResourceState<T> & { load(): Promise<void> };

/** Runs the command again after the events in `changedBy`, and for another input. */
export function useCommand<N extends CommandName>(
  name: N,
  changedBy: readonly EventName[],
  ...input: undefined extends CommandInput<N> ? [] : [CommandInput<N>]
): Loaded<CommandOutput<N>> {
  const { link } = useStores();
  const key = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input, and the events stay the same
  const resource = useMemo(() => createResource(link, () => link.call(name, ...input), changedBy), [link, name, key]);
  return { ...useResource(resource), load: resource.load };
}
