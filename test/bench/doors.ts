/** Odd messages at all doors of the built product. TOOLKEEP_FUZZ_MESSAGES sets their number, TOOLKEEP_FUZZ_SEED the first seed. */
import { setTimeout as delay } from 'node:timers/promises';
import { doors, openDoors } from '../fixtures/fuzz/doors.ts';
import type { Part } from './report.ts';

const limitMs = 50;
/** HTTP costs a request for each message. */
const rounds = { HTTP: 50, others: 2_000 };

export const part: Part = {
  about: 'odd messages at all doors of the built product: Core does not end, does not stall, and releases its memory',
  async run(report) {
    const wanted = Number(process.env.TOOLKEEP_FUZZ_MESSAGES) || 1_000_000;
    let seed = Number(process.env.TOOLKEEP_FUZZ_SEED) || Math.floor(Math.random() * 1e9);
    const first = seed;
    const product = await openDoors();
    const found = doors.map((door) => ({
      door,
      messages: 0,
      rounds: 0,
      'above 50 ms': 0,
      'longest ms': 0,
      failures: 0,
    }));
    try {
      const before = product.memory();
      let most = before;
      await product.pieces();
      for (let sent = 0; sent < wanted && product.isAlive(); )
        for (const row of found) {
          const count = row.door.startsWith('HTTP') ? rounds.HTTP : rounds.others;
          seed += 1;
          await product.send(row.door, seed, count).catch((error: Error) => {
            row.failures += 1;
            report.note(`FAILED: ${row.door}, seed ${seed}: ${error.message.slice(0, 500)}`);
          });
          const [longest = 0, ...pieces] = await product.pieces();
          row.messages += count;
          row.rounds += 1;
          row['above 50 ms'] += [longest, ...pieces].filter((ms) => ms > limitMs).length;
          row['longest ms'] = Math.max(row['longest ms'], Math.round(longest * 10) / 10);
          most = Math.max(most, product.memory());
          sent += count;
        }
      const isAlive = product.isAlive();
      product.rest();
      await delay(30_000);
      report.table(`Seeds ${first} to ${seed}`, found);
      report.note(`Core ${isAlive ? 'still runs' : 'ENDED'}.`);
      if (isAlive)
        report.note(
          `Memory: ${Math.round(before)} MB before, at most ${Math.round(most)} MB, ${Math.round(product.memory())} MB after 30 s.`,
        );
      if (!isAlive || found.some((row) => row.failures > 0 || row['above 50 ms'] > 0)) process.exitCode = 1;
    } finally {
      await product.close();
    }
  },
};
