/**
 * Tokens saved per client and day: the tool definitions a client would have loaded, compared with what it loaded instead,
 * searches and details included. These are estimates; see docs/performance.md for the method.
 */
import * as z from 'zod';
import { type SavingsRow, savingsSchema } from '../../../shared/model/search.ts';
import { createJsonWriter, readJsonFile } from '../files/json-file.ts';
import { dayOf } from './day.ts';

const countsSchema = savingsSchema.omit({ day: true, client: true, saved: true });
type Counts = z.infer<typeof countsSchema>;
const fileSchema = z.object({
  version: z.literal(1),
  days: z.record(z.string(), z.record(z.string(), countsSchema)),
});

export type Savings = Awaited<ReturnType<typeof openSavings>>;

const keptDays = 400;
const maxClientsPerDay = 50;
const writeIntervalMs = 2_000;

/** Opens the counts in `file`. A damaged file is renamed. */
export async function openSavings(file: string, now: () => Date = () => new Date()) {
  const stored = await readJsonFile(file, fileSchema);
  const days = new Map(
    Object.entries(stored?.days ?? {}).map(([day, clients]) => [day, new Map(Object.entries(clients))]),
  );
  const writer = createJsonWriter(file, writeIntervalMs, () => ({
    version: 1,
    days: Object.fromEntries([...days].map(([day, clients]) => [day, Object.fromEntries(clients)])),
  }));

  function add(client: string, more: Partial<Counts>): void {
    const day = dayOf(now());
    const clients = days.get(day) ?? new Map<string, Counts>();
    days.set(day, clients);
    const ownName = client.slice(0, 100);
    const name = clients.has(ownName) || clients.size < maxClientsPerDay ? ownName : 'others';
    const counts = clients.get(name) ?? { sessions: 0, without: 0, list: 0, lookups: 0, answers: 0 };
    for (const [key, value] of Object.entries(more) as [keyof Counts, number][]) counts[key] += value;
    clients.set(name, counts);
    for (const old of [...days.keys()].sort().slice(0, -keptDays)) days.delete(old);
    writer.schedule();
  }

  return {
    /** A session loaded a tool list of `list` tokens instead of `without` tokens. */
    listed: (client: string, { without, list }: { without: number; list: number }) =>
      add(client, { sessions: 1, without, list }),
    /** A search or details response of `tokens` tokens. */
    lookedUp: (client: string, tokens: number) => add(client, { lookups: 1, answers: tokens }),
    /** The last `count` days, newest first. */
    show(count: number): SavingsRow[] {
      const first = now();
      first.setDate(first.getDate() - count + 1);
      return [...days]
        .filter(([day]) => day >= dayOf(first))
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .flatMap(([day, clients]) =>
          Array.from(clients, ([client, counts]) => ({
            day,
            client,
            ...counts,
            saved: counts.without - counts.list - counts.answers,
          })),
        );
    },
    close: writer.close,
  };
}
