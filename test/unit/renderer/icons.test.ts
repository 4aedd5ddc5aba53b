/** The icons that the window caches: each is the requested one, and their number is limited. */
import { describe, expect, it } from 'vitest';
import { createIcons } from '../../../renderer/stores/icons.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';

function setUp() {
  const asked: unknown[] = [];
  const known = new Map<string, string>();
  const call = async (_command: string, input: { icon: string }) => {
    asked.push(input);
    return { src: known.get(input.icon) };
  };
  return { icons: createIcons({ call: call as unknown as CoreClient['call'] }), asked, known };
}

describe('The icons of servers', () => {
  it('are requested once, by their ID', async () => {
    const { icons, asked, known } = setUp();
    known.set('a', 'data:image/png;base64,A');
    icons.load('one', 'a');
    icons.load('two', 'a');
    await expect.poll(() => icons.state.getState()).toEqual({ a: 'data:image/png;base64,A' });
    icons.load('one', 'a');
    expect(asked).toEqual([{ server: 'one', icon: 'a' }]);
  });

  it('are requested again if the server had a different one', async () => {
    const { icons, asked, known } = setUp();
    icons.load('one', 'a');
    await expect
      .poll(() => {
        icons.load('one', 'a');
        return asked.length;
      })
      .toBeGreaterThan(1);
    expect(icons.state.getState()).toEqual({});
    known.set('a', 'data:image/png;base64,A');
    await expect
      .poll(() => {
        icons.load('one', 'a');
        return Object.keys(icons.state.getState());
      })
      .toEqual(['a']);
  });

  it('are dropped above a limit, oldest first, and can be loaded again', async () => {
    const { icons, known } = setUp();
    const ids = Array.from({ length: 501 }, (_, index) => `icon-${index}`);
    for (const id of ids) known.set(id, `data:image/png;base64,${id}`);
    for (const id of ids) icons.load('one', id);
    await expect.poll(() => Object.keys(icons.state.getState())).toEqual(ids.slice(1));
    icons.load('one', 'icon-0');
    await expect.poll(() => Object.keys(icons.state.getState())).toEqual([...ids.slice(2), 'icon-0']);
  });
});
