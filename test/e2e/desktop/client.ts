/** A real client of the app's bridge that, like Claude Desktop, cannot answer questions itself. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { App } from './driver.ts';

const root = join(import.meta.dirname, '../../..');

export interface ToolRunner {
  run(server: string, tool: string, args?: object, signal?: AbortSignal): Promise<{ isError: boolean; text: string }>;
  close(): Promise<void>;
}

export async function connectClient({ dataDir }: Pick<App, 'dataDir'>): Promise<ToolRunner> {
  const client = new Client({ name: 'Claude Desktop', version: '1' });
  const args = [join(root, 'dist', 'bridge.cjs'), '--client', 'claude-desktop'];
  const env = { PATH: process.env.PATH ?? '', HOME: dataDir, TOOLKEEP_HOME: dataDir };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return {
    async run(server, tool, args = {}, signal) {
      const call = { name: 'execute_tool', arguments: { server, tool, arguments: args } };
      const result = await client.callTool(call, undefined, signal && { signal });
      return { isError: result.isError === true, text: (result.content as { text: string }[])[0]?.text ?? '' };
    },
    close: () => client.close(),
  };
}
