/** A running product with the trial server, whose log shows what reached it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { newProduct } from './product.ts';

export async function trialProduct() {
  const product = newProduct();
  const log = join(product.home, 'trial.log');
  const args = [join(import.meta.dirname, '../fixtures/trial.mjs'), log];
  product.file('trial.log', '');
  product.file('.toolkeep/config.json', {
    // Short, so that a slow tool takes less than a second.
    approvals: { ask: 'dangerous', destinations: 'any', clientTimeout: '400ms' },
    elicitation: { routing: 'client' },
    servers: [{ name: 'trial', connection: { type: 'stdio', command: process.execPath, args, env: {} } }],
  });
  const { output } = await product.serve();
  await vi.waitFor(() => expect(output()).toContain('trial: ready'), { timeout: 20_000 });
  return {
    product,
    /** How often the server logged this line. */
    logged: (line: string) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((one) => one === line).length,
  };
}
