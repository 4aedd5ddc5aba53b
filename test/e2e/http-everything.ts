/** The real everything server over streamable HTTP, on a free port. */
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { npmServer } from '../fixtures/commands.ts';
import { freePort } from '../fixtures/free-port.ts';

export interface HttpEverything {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHttpEverything(): Promise<HttpEverything> {
  const port = await freePort();
  const { command, args } = npmServer('everything', 'streamableHttp');
  const child = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(50)) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
