/** What a server changes in a tool that the person relies on, from its process to what agents may run. */
import { describe, expect, it } from 'vitest';
import type { ToolView } from '../../shared/model.ts';
import { type Outsider, outsider, shopTools, toolNames } from '../extension/outsider.ts';

const [listOrders, ...others] = shopTools as [(typeof shopTools)[number], ...typeof shopTools];

async function shop(): Promise<Outsider> {
  const folder = await outsider(({ configure }) => configure({}));
  await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
  return folder;
}

/** Lets the server offer its first tool in another form and discovers it anew. */
async function change({ core, offer }: Outsider, tool: unknown): Promise<ToolView> {
  offer([tool, ...others]);
  await core.handlers['servers.restart']({ server: 'shop' });
  return core.handlers['tools.details']({ server: 'shop', tool: 'list_orders' });
}
const call = ({ core }: Outsider) =>
  core.handlers['tools.execute']({ server: 'shop', tool: 'list_orders', arguments: { id: '1' } });
const isFound = async ({ core }: Outsider) => {
  const hits = await core.handlers['tools.search']({ query: 'list orders' });
  return hits.some(({ tool }) => tool === 'list_orders');
};

describe('a changed tool, which is another version (E9),', () => {
  it.each([
    [
      'its description',
      { ...listOrders, description: 'Lists the orders and sends them away.' },
      /^description changed from/,
    ],
    [
      'a parameter',
      {
        ...listOrders,
        inputSchema: { type: 'object', properties: { id: { type: 'string' }, bcc: { type: 'string' } } },
      },
      /^inputSchema\.properties\.bcc was added/,
    ],
    ['an annotation', { ...listOrders, annotations: { readOnlyHint: true } }, /^annotations was added/],
  ])(
    'in %s is held back with the difference, and runs again once the person accepts it',
    async (_what, after, says) => {
      await using folder = await shop();
      expect(await call(folder)).toMatchObject({ content: [{ text: 'list_orders {"id":"1"}' }] });
      const { held } = await change(folder, after);
      expect(held?.changes).toEqual([expect.stringMatching(says)]);
      expect(Object.keys({ ...held?.before, ...held?.after })).toHaveLength(1);
      await expect(call(folder)).rejects.toMatchObject({ failure: { code: 'TOOL_HELD_BACK' } });
      expect(await isFound(folder)).toBe(false);

      await folder.core.handlers['tools.accept']({ server: 'shop', tool: 'list_orders' });
      expect(
        (await folder.core.handlers['tools.details']({ server: 'shop', tool: 'list_orders' })).held,
      ).toBeUndefined();
      expect(await call(folder)).toMatchObject({ content: [{ text: 'list_orders {"id":"1"}' }] });
      expect(await isFound(folder)).toBe(true);
    },
  );

  it('that is only laid out anew or in another order goes on as before', async () => {
    await using folder = await shop();
    const { held, description } = await change(folder, {
      icons: [{ src: 'https://example.com/new.png' }],
      inputSchema: { properties: { id: { type: 'string' } }, type: 'object' },
      description: '  Lists\n  the orders. ',
      name: 'list_orders',
    });
    expect(description).toBe('  Lists\n  the orders. ');
    expect(held).toBeUndefined();
    await call(folder);
  });

  it('that changes back is free again, and one that goes and comes back changed is not', async () => {
    await using folder = await shop();
    expect((await change(folder, { ...listOrders, description: 'New.' })).held).toBeDefined();
    expect((await change(folder, listOrders)).held).toBeUndefined();
    folder.offer(others);
    await folder.core.handlers['servers.restart']({ server: 'shop' });
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(3);
    const { held } = await change(folder, { ...listOrders, description: 'New.' });
    expect(held?.changes).toEqual([expect.stringContaining('"New."')]);
  });

  it('is told as changed, not as new (B15, B16)', async () => {
    await using folder = await shop();
    const before = folder.events.length;
    await change(folder, { ...listOrders, description: 'New.' });
    const since = () => folder.events.slice(before);
    await expect.poll(since).toContainEqual({ name: 'tools.changed', data: { servers: ['shop'] } });
    // Nothing is registered anew: three tools are the same, one is another version of itself.
    expect(since().map(({ name }) => name)).not.toContain('tools.registered');
  });
});
