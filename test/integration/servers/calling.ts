/** Calls the healthy servers of a fleet while others misbehave. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CoreTrial } from '../../fixtures/core.ts';
import { textOf } from './server-harness.ts';

/** Calls all healthy servers in turn until it is stopped. */
export function keepCalling({ call }: CoreTrial, servers: ServerConfig[]) {
  const problems: string[] = [];
  let rounds = 0;
  let stopped = false;
  async function once({ name }: ServerConfig): Promise<void> {
    const isEcho = /^good-\d/.test(name);
    try {
      const said = textOf(isEcho ? await call(name, 'echo', { text: name }) : await call(name, 'text'));
      if (isEcho ? said !== name : !said.startsWith('plain')) problems.push(`${name} said ${said}`);
    } catch (error) {
      problems.push(`${name}: ${String(error)}`);
    }
  }
  async function run(): Promise<void> {
    while (!stopped) {
      for (const server of servers) await once(server);
      rounds += 1;
    }
  }
  const running = run();
  return {
    problems,
    get rounds() {
      return rounds;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
