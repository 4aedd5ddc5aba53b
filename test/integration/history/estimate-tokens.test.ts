/** The estimate of tokens. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, expect, it } from 'vitest';
import { estimateTokens } from '../../../electron/core/history/estimate-tokens.ts';
import { commands } from '../../fixtures/commands.ts';
import { initialize, spawnPeer } from '../gateway/raw-peer.ts';

const root = mkdtempSync(join(tmpdir(), 'toolkeep-tokens-'));
afterAll(() => rmSync(root, { recursive: true }));

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
