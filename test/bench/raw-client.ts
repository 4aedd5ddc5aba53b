/** A client that sends JSON-RPC over stdio and reads only the ids of answers, so that its own work affects a measurement little. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from '../fixtures/commands.ts';

export interface RawClient {
  readonly pid: number;
  /** Sends a request. Resolves with the line of its answer. */
  request(method: string, params: object): Promise<Buffer>;
  close(): Promise<unknown>;
}

export async function rawClient({ command, args, env }: Command): Promise<RawClient> {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<string, (line: Buffer) => void>();
  let parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      answered(Buffer.concat([...parts, chunk.subarray(from, end)]));
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });

  /** The id is at one of the ends of an answer. */
  function answered(line: Buffer): void {
    const ends = line.toString('latin1', 0, 60) + line.toString('latin1', Math.max(60, line.length - 60));
    const id = /"id":(\d+)/.exec(ends)?.[1] ?? '';
    waiting.get(id)?.(line);
    waiting.delete(id);
  }

  let lastId = 0;
  function request(method: string, params: object): Promise<Buffer> {
    lastId += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    return new Promise((resolve) => waiting.set(String(lastId), resolve));
  }

  const clientInfo = { name: 'bench', version: '0' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    pid: child.pid as number,
    request,
    close() {
      child.stdin.end();
      return once(child, 'exit');
    },
  };
}
