/** The current settings, and a function that saves a change immediately. */
import type { CommandInput, CommandOutput } from '../../../shared/protocol/contract.ts';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';

export function useSettings(): {
  data: CommandOutput<'settings.show'> | undefined;
  save(change: CommandInput<'settings.save'>): void;
} {
  const { settings, link, toasts } = useStores();
  const { data } = useResource(settings);
  return {
    data,
    save(change) {
      // Show the change at once. Otherwise, a second press of an arrow key would start from the old value.
      if (data) settings.state.setState({ data: { ...data, ...change } as typeof data });
      const saved = toasts.attempt(() => link.call('settings.save', change));
      void saved.then(() => settings.load());
    },
  };
}

/** Select options for the given steps above zero. Adds the current value if it is not one of them. */
export function stepOptions(steps: readonly number[], current: number, label: (step: number) => string) {
  const all = [...new Set([...steps, current])].filter((step) => step > 0).sort((a, b) => a - b);
  return all.map((step) => [String(step), label(step)] as const);
}
