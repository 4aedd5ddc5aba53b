/**
 * What the gateway saved each client and day: the tokens of the tool definitions that it would have carried, against what
 * it carried instead, searches and details included. Estimates; see docs/performance.md for how they are made.
 */
import * as z from 'zod';
import { type SavingsRow, savingsSchema } from '../../../shared/model.ts';
import { createKeeper, readKept } from '../kept-file.ts';

const countsSchema = savingsSchema.omit({ day: true, client: true, saved: true });
type Counts = z.infer<typeof countsSchema>;
const fileSchema = z.object({
  version: z.literal(1),
  days: z.record(z.string(), z.record(z.string(), countsSchema)),
});

export interface Savings {
  listed(client: string, tokens: { without: number; list: number }): void;
  lookedUp(client: string, tokens: number): void;
  /** The last `days` days, newest first. */
  show(days: number): SavingsRow[];
  close(): Promise<void>;
}

const keptDays = 400;
const mostClientsADay = 50;
const quietMs = 2_000;

/** Opens the counts in `file`. A damaged file is set aside. */
export async function openSavings(file: string, now: () => Date = () => new Date()): Promise<Savings> {
  const kept = await readKept(file, fileSchema);
  const days = new Map(
    Object.entries(kept?.days ?? {}).map(([day, clients]) => [day, new Map(Object.entries(clients))]),
  );
  const keeper = createKeeper(file, quietMs, () => ({
    version: 1,
    days: Object.fromEntries([...days].map(([day, clients]) => [day, Object.fromEntries(clients)])),
  }));

  function add(client: string, more: Partial<Counts>): void {
    const day = dayOf(now());
    const clients = days.get(day) ?? new Map<string, Counts>();
    days.set(day, clients);
    const named = client.slice(0, 100);
    const name = clients.has(named) || clients.size < mostClientsADay ? named : 'others';
    const counts = clients.get(name) ?? { sessions: 0, without: 0, list: 0, lookups: 0, answers: 0 };
    for (const [key, value] of Object.entries(more) as [keyof Counts, number][]) counts[key] += value;
    clients.set(name, counts);
    for (const old of [...days.keys()].sort().slice(0, -keptDays)) days.delete(old);
    keeper.touch();
  }

  return {
    listed: (client, { without, list }) => add(client, { sessions: 1, without, list }),
    lookedUp: (client, tokens) => add(client, { lookups: 1, answers: tokens }),
    show(count) {
      const first = now();
      first.setDate(first.getDate() - count + 1);
      return [...days]
        .filter(([day]) => day >= dayOf(first))
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .flatMap(([day, clients]) =>
          Array.from(clients, ([client, counts]) => ({
            ...{ day, client, ...counts },
            saved: counts.without - counts.list - counts.answers,
          })),
        );
    },
    close: keeper.close,
  };
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
