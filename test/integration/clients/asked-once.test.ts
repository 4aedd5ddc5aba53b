/** Clients that ask before calls leave it to Toolkeep if the user chooses so, and installing again keeps what others wrote. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { installPlanText } from '../../../electron/cli/text/install.ts';
import { type InstallChoice, installChoiceSchema } from '../../../shared/model/install.ts';
import { startCore } from '../../fixtures/core.ts';

const bare = (text: string) => text;
const plain = { good: bare, bad: bare, warn: bare, dim: bare, bold: bare };

const clients = {
  codex: {
    file: '.codex/config.toml',
    text: '# mine\nmodel = "o3"\n\n[mcp_servers.notes]\ncommand = "notes" # last\n',
    gate: { default_tools_approval_mode: 'approve' },
  },
  'gemini-cli': {
    file: '.gemini/settings.json',
    text: '{\n    // mine\n    "mcpServers": { "notes": { "command": "notes" } }\n}',
    gate: { trust: true },
  },
  'qwen-code': { file: '.qwen/settings.json', text: '{"theme":"dark"}', gate: { trust: true } },
} as const;

/** A Core beside the client's file. */
async function openClient(client: keyof typeof clients) {
  const { core, host } = await startCore([]);
  const { file, text } = clients[client];
  const path = join(host.homeDir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const change = async (choice: Partial<InstallChoice> = {}) => {
    const whole = installChoiceSchema.parse({ client, ...choice });
    const plan = await core.handlers['install.plan'](whole);
    await core.handlers['install.apply']({ ...whole, token: plan.token });
    return plan;
  };
  const entry = (): Record<string, unknown> => {
    const now = readFileSync(path, 'utf8');
    if (client === 'codex')
      return (parse(now) as never as Record<string, Record<string, never>>).mcp_servers?.toolkeep ?? {};
    return JSON.parse(now.replace(/\/\/.*/g, '')).mcpServers.toolkeep;
  };
  const access = async () => {
    const statuses = await core.handlers['install.status']();
    return statuses.find((status) => status.client === client)?.access;
  };
  return { path, text, change, entry, access };
}

const ids = Object.keys(clients) as (keyof typeof clients)[];
describe.each(ids)('%s', (client) => {
  const { gate } = clients[client];

  it('asks no questions of its own if the user chooses so; the diff shows the key, and uninstalling restores each byte', async () => {
    const { path, text, change, entry, access } = await openClient(client);
    const plan = await change({ letToolkeepAsk: true });
    expect(plan.asks).toEqual({ who: 'toolkeep', isChoice: true });
    expect(plan.diff).toContain(Object.keys(gate)[0]);
    expect(entry()).toMatchObject(gate);
    expect(await access()).toEqual({ letToolkeepAsk: true });
    await change({ mode: 'full' });
    expect(entry()).toMatchObject(gate);
    await change({ action: 'uninstall' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('keeps its own questions without a choice, and the plan says so', async () => {
    const { change, entry } = await openClient(client);
    const plan = await change();
    expect(plan.asks).toEqual({ who: 'both', isChoice: true });
    expect(installPlanText(plan, plain)).toContain("also asks before calls of Toolkeep's tools");
    for (const key of Object.keys(gate)) expect(entry()).not.toHaveProperty(key);
    await change({ letToolkeepAsk: true });
    await change({ letToolkeepAsk: false });
    for (const key of Object.keys(gate)) expect(entry()).not.toHaveProperty(key);
  });
});

it('Installing again keeps the keys that the user or the client has added or changed, and replaces only its own', async () => {
  const { path, text, change, entry } = await openClient('codex');
  await change();
  const asked = '\n[mcp_servers.toolkeep.tools.execute_tool]\napproval_mode = "approve"\n';
  const edited = `${readFileSync(path, 'utf8').replace('tool_timeout_sec = 600', 'tool_timeout_sec = 90\nenabled = true')}${asked}`;
  writeFileSync(path, edited);
  await change({ mode: 'full' });
  expect(entry()).toMatchObject({
    args: expect.arrayContaining(['--mode', 'full']),
    tool_timeout_sec: 90,
    enabled: true,
    tools: { execute_tool: { approval_mode: 'approve' } },
  });
  const { unchanged } = await change({ mode: 'full' });
  expect(unchanged).toBe(true);
  await change();
  expect(entry()).toMatchObject({ args: expect.not.arrayContaining(['full']), tool_timeout_sec: 90, enabled: true });
  await change({ action: 'uninstall' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('A setting of the user that keeps the questions of the client stays without a choice, and a choice replaces it', async () => {
  const { path, change, entry } = await openClient('codex');
  await change();
  writeFileSync(path, `${readFileSync(path, 'utf8')}default_tools_approval_mode = "prompt"\n`);
  await change({ mode: 'full' });
  expect(entry()).toMatchObject({ default_tools_approval_mode: 'prompt' });
  await change({ letToolkeepAsk: true });
  expect(entry()).toMatchObject({ default_tools_approval_mode: 'approve' });
});

it.each(['claude-code', 'copilot-cli'])(
  '%s cannot leave it to Toolkeep in the entry, and the plan says that both ask',
  async (client) => {
    const { core } = await startCore([]);
    const plan = await core.handlers['install.plan'](installChoiceSchema.parse({ client, letToolkeepAsk: true }));
    expect(plan.asks).toEqual({ who: 'both', isChoice: false });
    expect(installPlanText(plan, plain)).not.toContain('--let-toolkeep-ask');
  },
);
