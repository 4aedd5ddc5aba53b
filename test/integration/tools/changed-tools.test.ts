/** Changes of a tool that the user relies on, from the server's process to the calls of agents. */
import { describe, expect, it } from 'vitest';
import type { ToolView } from '../../../shared/model/tool.ts';
import { type ExternalProject, externalProject, shopTools, toolNames } from '../plugins/external-project.ts';

const [listOrders, ...others] = shopTools as [(typeof shopTools)[number], ...typeof shopTools];

async function shop(): Promise<ExternalProject> {
  const folder = await externalProject(({ configure }) => configure({}));
  await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
  return folder;
}

/** Changes the first tool of the server and discovers the server again. */
async function change({ core, offer }: ExternalProject, tool: unknown): Promise<ToolView> {
  offer([tool, ...others]);
  await core.handlers['servers.restart']({ server: 'shop' });
  return core.handlers['tools.details']({ server: 'shop', tool: 'list_orders' });
}
const call = ({ core }: ExternalProject) =>
  core.handlers['tools.execute']({ server: 'shop', tool: 'list_orders', arguments: { id: '1' } });
const isFound = async ({ core }: ExternalProject) => {
  const hits = await core.handlers['tools.search']({ query: 'list orders' });
  return hits.some(({ tool }) => tool === 'list_orders');
};

describe('A changed tool', () => {
  it.each([
    ['its description', { ...listOrders, description: 'Lists the orders of all years.' }, /^description changed from/],
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
    'with a change in %s is held with the difference, and runs again once the user accepts it',
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

  it('is not held if only its layout or key order changed', async () => {
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

  it('is released when it changes back, and held if it disappears and returns changed', async () => {
    await using folder = await shop();
    expect((await change(folder, { ...listOrders, description: 'New.' })).held).toBeDefined();
    expect((await change(folder, listOrders)).held).toBeUndefined();
    folder.offer(others);
    await folder.core.handlers['servers.restart']({ server: 'shop' });
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(3);
    const { held } = await change(folder, { ...listOrders, description: 'New.' });
    expect(held?.changes).toEqual([expect.stringContaining('"New."')]);
  });

  it('is reported as changed, not as new', async () => {
    await using folder = await shop();
    const before = folder.events.length;
    await change(folder, { ...listOrders, description: 'New.' });
    const since = () => folder.events.slice(before);
    await expect.poll(since).toContainEqual({ name: 'tools.changed', data: { servers: ['shop'] } });
    // No tool is registered again: three tools are unchanged, and one has a new version.
    expect(since().map(({ name }) => name)).not.toContain('tools.registered');
  });
});
