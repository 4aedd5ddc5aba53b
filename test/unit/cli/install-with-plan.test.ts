/** Installing at a terminal: the conditions that the caller sets for the plan apply to the installed plan. */
import { expect, it } from 'vitest';
import { installWithPlan, type Source } from '../../../electron/cli/install-with-plan.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';

function planWith(integrity: string): RegistryPlan {
  const option = { id: 'npm', kind: 'npm', target: 'notes@1.0.0' };
  return {
    card: {
      ...{ registry: 'official', name: 'io.github.acme/notes', description: '', version: '1.0.0' },
      ...{ isDeprecated: false, options: [option], needs: { secrets: 0, inputs: 0, files: 0 } },
    },
    ...{ option: 'npm', server: 'notes', fields: [], problems: {}, command: ['npx'], isRemote: false, values: [] },
    ...{ files: [], hosts: [], ownership: { state: 'unknown', detail: '' }, integrity, warnings: [], hash: integrity },
  };
}

it('A plan that changes while the user answers is verified again, and not installed', async () => {
  const plans = [planWith('expected'), planWith('other')];
  const installed: string[] = [];
  const source: Source = {
    plan: async () => plans.shift() as RegistryPlan,
    install: async (_inputs, hash) => {
      installed.push(hash);
      throw new Error('installed');
    },
  };
  const plain = (text: string) => text;
  const style = { good: plain, bad: plain, warn: plain, dim: plain, bold: plain };
  const terminal = { canAsk: true, cwd: '/', out: () => undefined, style };
  const verify = ({ integrity }: RegistryPlan) => {
    if (integrity !== 'expected') throw new Error('not expected');
  };
  const installing = installWithPlan(terminal as never, {} as never, source, { yes: true }, verify);
  await expect(installing).rejects.toThrow('not expected');
  expect([plans, installed]).toEqual([[], []]);
});
