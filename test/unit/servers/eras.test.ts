/** Core saves what it learned about the protocol of servers together, not once for each server. */
import { describe, expect, it } from 'vitest';
import { erasOf } from '../../../electron/core/servers/lifecycle/eras.ts';
import { emptySettings, storeOf } from '../../../electron/core/settings.ts';

function setUp({ fails = false } = {}) {
  const saved: unknown[] = [];
  const disk = { fails };
  const store = storeOf({ ...emptySettings }, (_key, value) => {
    if (disk.fails) throw new Error('ENOSPC');
    saved.push(value);
  });
  return { eras: erasOf(store), saved, disk, store };
}

describe('The eras of servers', () => {
  it('are known at once, and saved together', async () => {
    const { eras, saved } = setUp();
    eras.learn('one', { era: 'modern' });
    eras.learn('two', { era: 'legacy', usesRoots: true });
    expect(eras.get('two')).toEqual({ era: 'legacy', usesRoots: true });
    expect(saved).toEqual([]);
    await expect.poll(() => saved).toEqual([{ one: { era: 'modern' }, two: { era: 'legacy', usesRoots: true } }]);
  });

  it('are saved again only after a change', () => {
    const { eras, saved } = setUp();
    eras.learn('one', { era: 'modern' });
    eras.flush();
    eras.learn('one', { era: 'modern' });
    eras.flush();
    expect(saved).toHaveLength(1);
  });

  it('are kept, and saved later, if the disk cannot store them', () => {
    const { eras, saved, disk } = setUp({ fails: true });
    eras.learn('one', { era: 'modern' });
    eras.flush();
    disk.fails = false;
    eras.learn('two', { era: 'legacy' });
    eras.flush();
    expect(saved).toEqual([{ one: { era: 'modern' }, two: { era: 'legacy' } }]);
  });

  it('are the same for all users of the store', () => {
    const { eras, store } = setUp();
    expect(erasOf(store)).toBe(eras);
  });
});
