/**
 * The built product with thousands of odd messages at each of its doors, from kept seeds.
 *
 * @module-tag exhaustive
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Doors, doors, openDoors } from '../fixtures/fuzz/doors.ts';

let product: Doors;
beforeAll(async () => {
  product = await openDoors();
});
afterAll(() => product.close());

it.each(doors)(
  'Odd messages do not end Core (%s)',
  async (door) => {
    for (const seed of [1, 2, 3]) await product.send(door, seed, door.startsWith('HTTP') ? 50 : 1_000);
    expect(product.isAlive()).toBe(true);
  },
  120_000,
);
