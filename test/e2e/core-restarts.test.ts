/**
 * The bridge outlives its Core, whether Core is killed or another Core takes over.
 *
 * @module-tag exhaustive
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { commands } from '../fixtures/commands.ts';
import { initialize, spawnPeer, textOf } from '../integration/gateway/raw-peer.ts';
import { killCoreUnderLoad } from './kill-core.ts';
import { newProduct, type Product } from './product.ts';

describe('A Core that is killed under load', () => {
  it('does not end bridges: every call gets one response, and no call runs twice', {
    timeout: 180_000,
  }, async () => {
    const report = await killCoreUnderLoad({ kills: 8, seed: 1 });
    expect(report).toMatchObject({
      unanswered: 0,
      answeredTwice: 0,
      ranTwice: 0,
      neverRan: 0,
      bridgesEnded: 0,
    });
    expect(report.succeeded).toBeGreaterThan(20);
    expect(report.restarted).toBeGreaterThan(0);
  });
});

describe('A Core that a bridge started', () => {
  let product: Product;
  afterEach(() => product.dispose());

  it('ends when `toolkeep serve` starts, and its client continues with the new Core', {
    timeout: 60_000,
  }, async () => {
    product = newProduct();
    product.file('.toolkeep/config.json', {
      approvals: { ask: 'dangerous' },
      servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
    });
    const peer = spawnPeer(product.bridge());
    await initialize(peer);
    const echo = async (message: string) => {
      const arguments_ = { server: 'everything', tool: 'echo', arguments: { message } };
      return textOf(await peer.request('tools/call', { name: 'execute_tool', arguments: arguments_ }));
    };
    expect(await echo('one')).toBe('Echo: one');
    const data = join(product.home, '.toolkeep');
    const first = readCoreFile(data)?.pid;

    const { output } = await product.serve();
    expect(readCoreFile(data)?.pid).not.toBe(first);
    expect(output()).toContain('is ready');
    expect(await echo('two')).toBe('Echo: two');
    expect(peer.child?.exitCode).toBeNull();
    expect(JSON.parse((await product.cli('status', '--json')).stdout).clients).toHaveLength(1);
    expect(product.processes().filter(({ command }) => command.includes('--on-demand'))).toEqual([]);

    // A Core that the user started keeps running: a second start opens its page, and a bridge does not end it.
    expect((await product.cli('serve', '--no-open')).stderr).toContain('already running');
    expect(existsSync(join(data, 'run/core.json'))).toBe(true);
    peer.close();
  });
});
