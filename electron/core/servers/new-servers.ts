/** Confines a server that the user adds, if this computer can and the server probably works so. */
import { basename } from 'node:path';
import type { Connection, ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { Config } from '../config/schema.ts';
import type { Host } from '../host.ts';
import { storedServer } from '../registry/journal.ts';
import { enoughStarts, erasOf } from './lifecycle/eras.ts';
import { isPublicName } from './sandbox/allowed-hosts.ts';
import { hasPrograms, isContainer, whyNotHere } from './sandbox/engine.ts';

interface Context {
  host: Pick<Host, 'platform' | 'env'>;
  config(): Pick<Config, 'sandbox'>;
}

/** A server with a choice of its own keeps it. */
export async function confineNew(server: ServerConfig, context: Context): Promise<ServerConfig> {
  const { sandbox, connection } = server;
  if (sandbox !== undefined || connection.type !== 'stdio') return server;
  return (await whyNewUnconfined(connection, context)) === undefined ? { ...server, sandbox: 'auto' } : server;
}

/** Why a local server that the user adds will not be confined. Undefined if it will be. */
export async function whyNewUnconfined(connection: Connection, { host, config }: Context): Promise<string | undefined> {
  if (config().sandbox.newServers === 'off') return 'the setting `sandbox.newServers` is `off`';
  return whyUnsuited(connection) ?? whyNotHere(host);
}

/** Why a local server is not confined, and whether Toolkeep offers to confine it. Undefined if its configuration confines it. */
export function unconfinedView(
  { name, sandbox, connection }: ServerConfig,
  host: Pick<Host, 'platform' | 'env' | 'store'>,
): ServerView['unconfined'] {
  if (sandbox || connection.type !== 'stdio') return undefined;
  const missing =
    host.platform === 'linux' ? 'bubblewrap or socat is missing' : 'Toolkeep confines servers only on Linux';
  const reason = hasPrograms(host) ? whyUnsuited(connection) : missing;
  if (reason !== undefined) return { reason, isOffered: false };
  const isUsed = sandbox === undefined && (erasOf(host.store).get(name)?.starts ?? 0) >= enoughStarts;
  return { isOffered: isUsed && storedServer(host, name) !== undefined };
}

/** The needs that a sandbox does not meet, by a part of the name of a package. */
const needs: readonly [RegExp, string][] = [
  [/playwright|puppeteer|selenium|browser|chrom(?:e|ium)|firefox/i, 'it controls a browser'],
  [
    /blender|unity|unreal|godot|obsidian|figma-developer|android|mobile-mcp|xcode|keychain|desktop/i,
    'it controls an app',
  ],
  [
    /kube|k8s|helm|terraform|gcloud|cloud-run|docker|podman|\baws\b|awslabs|azure/i,
    'it uses the sign-in of another program',
  ],
  [/postgres|mysql|mariadb|mongo|redis|clickhouse|mssql|sqlserver|oracle/i, 'it connects to a database'],
];
const database = /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|clickhouse):\/\//i;

/** Why a server would probably not work confined with `auto`. Undefined if it probably does. */
export function whyUnsuited(connection: Connection): string | undefined {
  if (connection.type !== 'stdio') return undefined;
  const { command, args, env } = connection;
  if (isContainer(command)) return 'it runs in a container, whose limits the sandbox does not change';
  const program = args.find((arg) => !arg.startsWith('-')) ?? '';
  const name = `${basename(command)} ${program.startsWith('@') ? program : basename(program)}`;
  const [, need] = needs.find(([part]) => part.test(name)) ?? [];
  if (need !== undefined) return need;
  const texts = [...args, ...Object.values(env)];
  if (texts.some((text) => database.test(text))) return 'it connects to a database';
  return texts.some(isLocalAddress) ? 'it connects to this computer or the local network' : undefined;
}

function isLocalAddress(text: string): boolean {
  const [address] = /\b(?:https?|wss?|tcp):\/\/[^\s"'<>]+/.exec(text.slice(0, 4_096)) ?? [];
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && !isPublicName(url.hostname);
}
