/** The requests in flight on a connection, compared with a plain Map. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InFlight } from '../../../electron/core/jsonrpc/in-flight.ts';

const step = fc.record({
  what: fc.constantFrom('set', 'delete', 'get'),
  id: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constantFrom('0', 'a', '')),
  value: fc.nat(),
});

test('The list of requests in flight has the same entries and order as a Map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = new Map<string | number, number>();
      const inFlight = new InFlight<string | number, number>();
      for (const { what, id, value } of steps) {
        if (what === 'set') {
          map.set(id, value);
          inFlight.set(id, value);
        } else if (what === 'delete') expect(inFlight.delete(id)).toBe(map.delete(id));
        expect(inFlight.get(id)).toBe(map.get(id));
        expect(inFlight.keys()).toEqual([...map.keys()]);
        expect(inFlight.values()).toEqual([...map.values()]);
      }
    }),
  );
});
