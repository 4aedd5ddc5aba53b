/** Kills Core, the bridge and the server at each step of 20 requests with 37 calls, and counts what the agent then reads. */
import { allKills, type KilledPlans, killBatches, type Victim } from '../e2e/kill-batches.ts';
import type { Part } from './report.ts';

const atOnce = 2;
const killsPerProduct = 37;

export const part: Part = {
  about: 'SIGKILL of Core, the bridge and the server at each step of 20 requests with 37 calls',
  async run(report) {
    const untrue: string[] = [];
    const rows = [];
    for (const victim of ['core', 'bridge', 'server'] as const) {
      const found = await killAll(victim);
      const sum = (count: (one: KilledPlans) => number) => found.reduce((total, one) => total + count(one), 0);
      untrue.push(...found.flatMap((one) => one.untrue));
      const statuses = ['ok', 'error', 'denied', 'not_run', 'unknown'].map((status) => [
        status,
        sum((one) => one.statuses[status] ?? 0),
      ]);
      const counts = { kills: sum(({ kills }) => kills), calls: sum(({ calls }) => calls) };
      rows.push({ killed: victim, ...counts, ...Object.fromEntries(statuses), twice: sum(({ ranTwice }) => ranTwice) });
    }
    report.table('What the agent reads about its calls', rows);
    report.note(`Reports that are not true: ${untrue.length}. Calls that ran twice, and such reports, must be none.`);
    for (const one of untrue) report.note(one);
  },
};

async function killAll(victim: Victim): Promise<KilledPlans[]> {
  const kills = allKills(victim);
  const found: KilledPlans[] = [];
  const work = async () => {
    for (let next = kills.splice(0, killsPerProduct); next.length > 0; next = kills.splice(0, killsPerProduct))
      found.push(await killBatches(next));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}
