import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, expect, it } from 'vitest';
import { estimateTokens } from '../../../electron/core/history/estimate-tokens.ts';
import { openSavings } from '../../../electron/core/history/savings.ts';
import { commands } from '../../fixtures/commands.ts';
import { initialize, spawnPeer } from '../gateway/raw-peer.ts';

const root = mkdtempSync(join(tmpdir(), 'toolkeep-savings-'));
afterAll(() => rmSync(root, { recursive: true }));

it('The used and saved tokens per client and day survive a restart', async () => {
  const file = join(root, 'savings.json');
  let today = new Date(2026, 10, 20, 12);
  const savings = await openSavings(file, () => new Date(today));
  savings.listed('Claude', { without: 10_000, list: 500 });
  savings.lookedUp('Claude', 150);
  savings.lookedUp('Claude', 50);
  today = new Date(2026, 10, 21, 12);
  savings.listed('Cursor', { without: 300, list: 500 });
  await savings.close();

  const again = await openSavings(file, () => new Date(today));
  const claude = { day: '2026-11-20', client: 'Claude', sessions: 1, without: 10_000, list: 500 };
  const cursor = { day: '2026-11-21', client: 'Cursor', sessions: 1, without: 300, list: 500 };
  expect(again.show(2)).toEqual([
    { ...cursor, lookups: 0, answers: 0, saved: -200 },
    { ...claude, lookups: 2, answers: 200, saved: 9_300 },
  ]);
  expect(again.show(1).map(({ client }) => client)).toEqual(['Cursor']);
});

it('The token estimate of real tool definitions is within 20 percent of o200k', async () => {
  const peer = spawnPeer(commands.filesystem(root));
  await initialize(peer);
  const { result } = await peer.request('tools/list');
  peer.close();
  const text = JSON.stringify(result?.tools);
  const ratio = estimateTokens(text) / encode(text).length;
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.2);
});
