/** Generates a fleet of servers of any size from recombined names, descriptions and parameters of 527 real tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../../electron/core/servers/server-entry.ts';
import { openCatalog } from '../../electron/core/tools/catalog/catalog.ts';
import { discover } from '../../electron/core/tools/discovery/discovery.ts';
import { type ServerConfig, serverConfigSchema } from '../../shared/model/server.ts';
import type { ToolDefinition } from '../../shared/model/tool.ts';

interface RealTool {
  server: string;
  name: string;
  description: string;
  parameters: { name: string; type?: string; description?: string; required?: boolean }[];
}

export interface Fleet {
  servers: ServerConfig[];
  tools: Map<string, ToolDefinition[]>;
}

/** Returns the same fleet for the same numbers, so that runs can be compared. */
export function fleet(servers: number, toolsEach: number): Fleet {
  const real = readFileSync(join(import.meta.dirname, '../fixtures/tools/livemcp.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as RealTool);
  const random = generator(20_251_121);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = [...new Set(real.flatMap(({ name }) => name.toLowerCase().split(/[^a-z0-9]+/)))].filter(
    (word) => word.length > 2,
  );
  const sentences = real.flatMap(({ description }) => description.split(/(?<=[.。])\s+/)).filter((text) => text !== '');
  const parameters = real.flatMap((tool) => tool.parameters);

  function tool(name: string): ToolDefinition {
    const taken = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(parameters));
    const properties = taken.map(({ name, type = 'string', description = '' }) => [name, { type, description }]);
    const required = taken.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    return {
      name,
      description: `${pick(sentences)} ${pick(sentences)}`,
      inputSchema: { type: 'object', properties: Object.fromEntries(properties), required: [...new Set(required)] },
    };
  }

  const result: Fleet = { servers: [], tools: new Map() };
  for (let index = 0; index < servers; index += 1) {
    const name = `${pick(words)}-${pick(words)}-${index}`;
    // The command does not exist, so a started server would visibly fail.
    const connection = { type: 'stdio', command: `/nowhere/${name}`, args: ['--stdio'] };
    result.servers.push(serverConfigSchema.parse({ name, connection }));
    const tools = Array.from({ length: toolsEach }, (_, at) => tool(`${pick(words)}_${pick(words)}_${at}`));
    result.tools.set(name, tools);
  }
  return result;
}

/** Writes the catalog file that Core would have for the fleet. */
export async function keepCatalog(file: string, { servers, tools }: Fleet): Promise<void> {
  const catalog = await openCatalog(file, { ttlMs: () => 3_600_000 });
  for (const config of servers) {
    const source = {
      server: config,
      start: async () => ({ capabilities: { tools: {} } }),
      request: async () => ({ tools: tools.get(config.name) }),
    };
    const discovered = await discover(source, { slug: config.name, plugins: [], timeoutMs: 60_000 });
    catalog.replace(config.name, discovered, hashOf(config, ''));
  }
  await catalog.close();
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
