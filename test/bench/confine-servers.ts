/** The real servers that run confined in the benchmarks: small packages, and how each is started in a temporary home. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConnection } from '../../electron/core/secrets/resolve.ts';
import { createServerHandle } from '../../electron/core/servers/lifecycle/create-server.ts';
import { createStartMarks } from '../../electron/core/servers/lifecycle/start-marks.ts';
import type { ServerHandle, ServerHandleOptions } from '../../electron/core/servers/types.ts';
import type { Connection, ServerConfig } from '../../shared/model/server.ts';
import type { TestHost } from '../fixtures/host.ts';
import { folder, type RealServer, realServers, token } from './interop-servers.ts';
import { installed, installedBin } from './npm-cache.ts';

const withToken =
  'airtable-mcp-server|asana|server-brave-search|brave-search-mcp-server|circleci|currents|datadog|exa-mcp|server-github|server-gitlab|google-maps|hostinger|jira|line-bot|firecrawl|notion-mcp-server|perplexity|replicate|server-slack|shortcut|tavily|todoist|backlog';
const others =
  'agent-infra/mcp-server-filesystem|airbnb|context7|drawio|duckduckgo|server-everything|server-filesystem|server-memory|sequential-thinking|budget-allocator|cohort-heatmap|code-runner|server-chart|server-postgres';
const chosen = new RegExp(`${withToken}|${others}`);

/** `TOOLKEEP_INTEROP=REGEX` limits them. */
export function confineServers(): RealServer[] {
  const wanted = new RegExp(process.env.TOOLKEEP_INTEROP ?? '');
  return realServers.filter(({ spec }) => chosen.test(spec) && wanted.test(spec));
}

export const needsToken = ({ args = [], env = {} }: RealServer): boolean =>
  [...args, ...Object.values(env)].some((text) => text.includes(token));

const atOnce = 4;

/** Installs the packages. One that cannot be installed fails again, with its reason, when it is started. */
export async function installAll(servers: readonly RealServer[]): Promise<void> {
  const waiting = [...servers];
  const work = async () => {
    for (let server = waiting.shift(); server; server = waiting.shift())
      await installed(server.spec).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Its connection, with `secret` as its token and a folder of `host` that it may use. */
export async function connectionOf({ spec, args = [], env = {} }: RealServer, host: TestHost, secret = token) {
  const work = join(host.homeDir, 'work');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'note.txt'), 'a note\n');
  const filled = (text: string) => text.replaceAll(folder, work).replaceAll(token, secret);
  const variables = Object.entries(env).map(([name, value]) => [name, filled(value)]);
  const connection: Connection = {
    ...{ type: 'stdio', command: process.execPath, args: [await installedBin(spec), ...args.map(filled)] },
    env: Object.fromEntries(variables),
  };
  return { connection, filled: <T>(value: T): T => JSON.parse(filled(JSON.stringify(value))) };
}

/** A handle of the server, which starts when it is used. */
export function handleOf(
  host: TestHost,
  connection: Connection,
  sandbox: ServerConfig['sandbox'],
  more: Partial<ServerHandleOptions> = {},
): ServerHandle {
  return createServerHandle(
    { name: 'real', enabled: true, connection, sandbox },
    {
      host,
      marks: createStartMarks(host),
      resolve: (one) => resolveConnection(one, { env: host.env, homeDir: host.homeDir }),
      onState: () => undefined,
      onNotification: () => undefined,
      idleTimeoutMs: 0,
      ...more,
    },
  );
}
