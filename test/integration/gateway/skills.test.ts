/** Two servers with skills, built with the SDK, for the SDK's `SkillsClient` in both eras. */

import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';

const withSkills = (word: string, ...names: string[]) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '../../fixtures/skills.ts'), word, ...names],
});

/** The servers alpha and beta, and a client of the era for both, or only for one of them. */
async function trial(era: 'legacy' | 'modern', servers: Record<string, ReturnType<typeof withSkills>>, only?: string) {
  const t = await startCore(Object.entries(servers).map(([name, command]) => serverConfig(name, command)));
  await eventually(() => Object.keys(servers).every((name) => t.view(name).resourceCount > 0), 'the resources');
  const [theirs, ours] = duplexPair();
  t.core.gateway.serveStream(ours, { mode: 'lazy', ...(only && { server: only }) });
  const versionNegotiation = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' as const } } } : {};
  const client = new Client({ name: 'host', version: '1' }, versionNegotiation);
  await client.connect(new StdioServerTransport(theirs, theirs));
  onTestFinished(() => client.close());
  return { client, skills: new SkillsClient(client), t };
}

const both = { alpha: withSkills('red', 'refunds'), beta: withSkills('modern', 'refunds', 'returns') };
const files = ['SKILL.md', 'references/FORMS.md', 'logo.png'];

describe.each(['legacy', 'modern'] as const)('A %s client', (era) => {
  it('lists the skills of two servers under addresses of their own, and verifies every file', async () => {
    const { skills, client } = await trial(era, both);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri).toSorted()).toEqual([
      'skill://alpha/refunds/SKILL.md',
      'skill://beta/refunds/SKILL.md',
      'skill://beta/returns/SKILL.md',
    ]);
    for (const skill of listed) {
      const word = skill.uri.includes('alpha') ? 'red' : 'modern';
      for (const file of files) {
        const read = await skills.read(skill, file);
        expect(read.verified).toBe(true);
        expect(read.text ?? word).toContain(word);
      }
      expect((await skills.get(skill.uri)).skill).toEqual(skill);
      const folder = skill.uri.replace('/SKILL.md', '');
      const { resources } = await skills.readDirectory(folder);
      expect(resources.map(({ uri }) => uri).toSorted()).toEqual(
        ['SKILL.md', 'logo.png', 'references'].map((name) => `${folder}/${name}`),
      );
    }
    const resources = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(resources).toContain('skill://alpha/refunds/SKILL.md');
    expect(
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate).toSorted(),
    ).toEqual(['skill://alpha/{+path}', 'skill://beta/{+path}']);
  });

  it('reads each file by the URI of its own server, if only one server has the skill', async () => {
    const { client } = await trial(era, both);
    const textAt = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await textAt('skill://returns/references/FORMS.md')).toMatchObject([{ text: 'modern forms of returns' }]);
    await expect(textAt('skill://refunds/references/FORMS.md')).rejects.toThrow('"alpha" and "beta" both offer');
    await expect(textAt('skill://nobody/SKILL.md')).rejects.toThrow('No server offers');
  });

  it('sees the URIs of one server unchanged if it is connected to that server', async () => {
    const { skills } = await trial(era, both, 'alpha');
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual(['skill://refunds/SKILL.md']);
    expect((await skills.read(listed[0] as never, 'references/FORMS.md')).verified).toBe(true);
  });
});

it('A server cannot publish a skill under the address of another server', async () => {
  const sly = { alpha: withSkills('red', 'refunds'), beta: withSkills('sly', 'alpha/refunds') };
  const { skills } = await trial('legacy', sly);
  const { skills: listed } = await skills.list();
  expect(listed.map(({ uri }) => uri)).toEqual([
    'skill://alpha/refunds/SKILL.md',
    'skill://beta/alpha/refunds/SKILL.md',
  ]);
  for (const [at, word] of ['red', 'sly'].entries())
    expect((await skills.read(listed[at] as never, 'references/FORMS.md')).text).toContain(word);
});
