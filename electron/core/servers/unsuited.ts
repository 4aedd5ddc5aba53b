/** Which servers do not work confined: a table of exact packages, and what the words of others suggest. */
import { basename } from 'node:path';
import type { Connection } from '../../../shared/model/server.ts';
import { isSteering } from '../registry/variable-names.ts';
import { isPublicName } from './sandbox/allowed-hosts.ts';
import { isContainer } from './sandbox/engine.ts';

type Local = Extract<Connection, { type: 'stdio' }>;

const [browser, app, signIn, database, mail] = [
  'it controls a browser',
  'it controls an app',
  'it uses the sign-in of another program',
  'it connects to a database',
  'it connects to a mail server',
];

/** Packages that run unconfined from the start. The publisher of another one chooses its name, so no part of a name counts. */
const unsuited: Record<'npx' | 'uvx', Readonly<Record<string, string>>> = {
  npx: {
    '@playwright/mcp': browser,
    '@browsermcp/mcp': browser,
    '@modelcontextprotocol/server-puppeteer': browser,
    'chrome-devtools-mcp': browser,
    '@mobilenext/mobile-mcp': app,
    '@wonderwhy-er/desktop-commander': app,
    xcodebuildmcp: app,
    '@azure/mcp': signIn,
    '@google-cloud/cloud-run-mcp': signIn,
    '@google-cloud/gcloud-mcp': signIn,
    'mcp-server-kubernetes': signIn,
    '@benborla29/mcp-server-mysql': database,
    '@bytebase/dbhub': database,
    '@modelcontextprotocol/server-postgres': database,
    '@modelcontextprotocol/server-redis': database,
    'mongodb-mcp-server': database,
  },
  uvx: { 'blender-mcp': app, 'mcp-obsidian': app, 'postgres-mcp': database, 'mcp-email-server': mail },
};

/**
 * Why a server is not confined although the user can do that. Only if its command runs exactly this package from the usual registry:
 * no path, no variable that changes what runs, and no further argument that could name a program or a file.
 */
export function whyUnsuited(connection: Connection): string | undefined {
  if (connection.type !== 'stdio') return undefined;
  const { command, args, env, cwd } = connection;
  if (Object.keys(env).some(isSteering)) return undefined;
  // A path may lead to another program of this name.
  if (isContainer(command) && basename(command) === command)
    return 'it runs in a container, whose limits the sandbox does not change';
  if ((command !== 'npx' && command !== 'uvx') || cwd !== undefined) return undefined;
  const [name = '', ...others] = args.filter((arg) => arg !== '-y' && arg !== '--yes');
  const isPlain = others.every((arg) => /^[\w@.,=-]*$/.test(arg) && !arg.includes('..'));
  const [, unversioned = ''] = /^((?:@[\w.-]+\/)?[\w.-]+)(?:@[\w.-]+)?$/.exec(name) ?? [];
  return isPlain && Object.hasOwn(unsuited[command], unversioned) ? unsuited[command][unversioned] : undefined;
}

/** By a part of the name of a package. */
const words: readonly [RegExp, string][] = [
  [/playwright|puppeteer|selenium|browser|chrom(?:e|ium)|firefox/i, browser],
  [/blender|unity|unreal|godot|obsidian|android|mobile-mcp|xcode|keychain|desktop/i, app],
  [/kube|k8s|helm|terraform|gcloud|cloud-run|docker|podman|\baws\b|awslabs|azure/i, signIn],
  [/postgres|mysql|mariadb|mongo|redis|clickhouse|mssql|sqlserver|oracle/i, database],
  [/\be?mail\b|imap|smtp/i, mail],
  [/\bssh\b/i, 'it connects by SSH'],
  [/\bldap\b/i, 'it connects to a directory by LDAP'],
  [/mqtt/i, 'it connects to a broker by MQTT'],
];
const schemes: readonly [RegExp, string][] = [
  [/\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|clickhouse):\/\//i, database],
  [/\b(?:imaps?|smtps?|pop3s?):\/\//i, mail],
  [/\bldaps?:\/\//i, 'it connects to a directory by LDAP'],
  [/\bmqtts?:\/\//i, 'it connects to a broker by MQTT'],
];
const mailVariable = /(?:^|_)(?:IMAP|SMTP|POP3)_/i;

/** Names something that a confined server may need and its sandbox does not have, for the user who sees it fail. */
export function supposedNeed(connection: Connection): string | undefined {
  if (connection.type !== 'stdio') return undefined;
  const { command, args, env }: Local = connection;
  const program = args.find((arg) => !arg.startsWith('-')) ?? '';
  const name = `${basename(command)} ${program.startsWith('@') ? program : basename(program)}`;
  const texts = [...args, ...Object.values(env)];
  const [, need] =
    words.find(([part]) => part.test(name)) ?? schemes.find(([part]) => texts.some((text) => part.test(text))) ?? [];
  if (need !== undefined) return need;
  if (Object.keys(env).some((variable) => mailVariable.test(variable))) return mail;
  return texts.some(isLocalAddress) ? 'it connects to this computer or the local network' : undefined;
}

function isLocalAddress(text: string): boolean {
  const [address] = /\b(?:https?|wss?|tcp):\/\/[^\s"'<>]+/.exec(text.slice(0, 4_096)) ?? [];
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && !isPublicName(url.hostname);
}
