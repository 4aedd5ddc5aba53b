/** The settings in force, and a change to them that is saved at once. */
import type { CommandInput, CommandOutput } from '../../shared/contract.ts';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

export function useSettings(): {
  data: CommandOutput<'settings.show'> | undefined;
  save(change: CommandInput<'settings.save'>): void;
} {
  const { settings, link, notices } = useStores();
  const { data } = useResource(settings);
  return {
    data,
    save: (change) =>
      void notices.attempt(async () => {
        await link.call('settings.save', change);
        await settings.load();
      }),
  };
}

/** The usual steps above zero, and the present value where it is none of them. */
export function stepsWith(steps: readonly number[], present: number, words: (step: number) => string) {
  const all = [...new Set([...steps, present])].filter((step) => step > 0).sort((a, b) => a - b);
  return all.map((step) => [String(step), words(step)] as const);
}
