/** Prompts and resources of a real server, as the user sees them in a window. */
import { describe, expect, it } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';

const server = 'my library';

async function library(): Promise<CoreTrial['core']['handlers']> {
  const { core } = await startCore([
    serverConfig(server, commands.library()),
    serverConfig('other', commands.github()),
  ]);
  await core.handlers['servers.restart']({ server });
  return core.handlers;
}

describe('The prompts of a server', () => {
  it('are listed and read under their own names', async () => {
    const core = await library();
    expect(await core['prompts.list']({ server })).toEqual([
      {
        name: 'review',
        title: 'Review a book',
        description: 'Asks for a review.',
        arguments: [{ name: 'genre', description: 'Which genre', required: true }],
      },
    ]);
    expect(await core['prompts.get']({ server, prompt: 'review', arguments: { genre: 'crime' } })).toMatchObject({
      messages: [{ role: 'user', content: { text: 'review: {"genre":"crime"}' } }],
    });
    expect(await core['prompts.list']({ server: 'other' })).toEqual([]);
  });

  it('have suggestions if the server has any', async () => {
    const core = await library();
    const argument = { name: 'genre', value: 'c' };
    expect(await core['prompts.complete']({ server, ref: { prompt: 'review' }, argument })).toEqual([
      '{"type":"ref/prompt","name":"review"}',
      '{"name":"genre","value":"c"}',
    ]);
    expect(await core['prompts.complete']({ server: 'other', ref: { prompt: 'review' }, argument })).toEqual([]);
  });

  it('cannot be read while the server is disabled, but are still listed', async () => {
    const core = await library();
    await core['servers.setEnabled']({ server, enabled: false });
    expect(await core['prompts.list']({ server })).toHaveLength(1);
    const read = async () => core['prompts.get']({ server, prompt: 'review', arguments: {} });
    await expect(read()).rejects.toMatchObject({ failure: { code: 'SERVER_DISABLED' } });
  });
});

describe('The resources of a server', () => {
  it('are listed with its templates, and read by their own URIs', async () => {
    const core = await library();
    expect(await core['resources.list']({ server })).toEqual({
      resources: [
        { uri: 'book://1', name: 'Book 1', mimeType: 'text/plain' },
        { uri: 'book://2', name: 'Book 2', mimeType: 'text/plain' },
      ],
      templates: [{ uriTemplate: 'shelf://{room}/{row}', name: 'shelf', description: 'A shelf.' }],
    });
    expect(await core['resources.read']({ server, uri: 'shelf://hall/3' })).toMatchObject({
      contents: [{ text: 'What lies at shelf://hall/3' }],
    });
    const stray = async () => core['resources.read']({ server, uri: 'nobody://has/this' });
    await expect(stray()).rejects.toMatchObject({ failure: { code: 'RESOURCE_NOT_FOUND' } });
  });

  it('of Toolkeep itself are not read', async () => {
    const { core, host } = await startCore([serverConfig(server, commands.library())]);
    await core.handlers['servers.restart']({ server });
    const read = async () => core.handlers['resources.read']({ server, uri: `file://${host.dataDir}/config.json` });
    await expect(read()).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
  });
});
