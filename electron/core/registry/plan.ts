/** Plans an installation: everything that the user should know beforehand, and the connection that it would add. */

import { hash } from 'node:crypto';
import { entryName } from '../../../shared/entry-name.ts';
import { freeName } from '../../../shared/free-name.ts';
import type { Field } from '../../../shared/model/question.ts';
import type { RegistryCard, RegistryOrigin, RegistryPlan, RegistryWants } from '../../../shared/model/registry.ts';
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { isReservedName } from '../../../shared/reserved-name.ts';
import type { Host } from '../host.ts';
import { redactServer } from '../secrets/vault.ts';
import { changesOf } from './changes.ts';
import { connect, type Derived, type Option, optionsOf } from './connect.ts';
import type { RegistryEntry } from './entry.ts';
import { addressOf, declaredHosts, hostsOf, isPrivate } from './hosts.ts';
import type { Entered } from './inputs.ts';
import { isSameContent } from './integrity.ts';
import { type Evidence, packageEvidence, unchecked } from './ownership.ts';
import { findRuntime } from './runtimes.ts';
import { secretsFor } from './template.ts';

/** Whether a server with this connection will run confined; undefined for a remote one. `old`: the server that it replaces. */
export type ConfinementOf = (connection: Connection, old?: ServerConfig) => Promise<RegistryPlan['confinement']>;

export interface PlanRequest {
  registry: { name: string; url: string };
  entry: RegistryEntry;
  option?: string | undefined;
  inputs: Entered;
  /** The user's servers. */
  servers: readonly ServerConfig[];
  /** Names that are not available for a new server. */
  taken: ReadonlySet<string>;
  /** The installed server to replace. */
  replace?: ServerConfig | undefined;
  /** An entry of another publisher with nearly the same name. */
  alike?: string | undefined;
  hasSecret(name: string): boolean;
  confinement: ConfinementOf;
  /** Whether to ask the package registry. */
  check: boolean;
}

export interface Planned {
  plan: RegistryPlan;
  derived: Derived;
  origin: RegistryOrigin;
  /** The prefix of the names of its secrets in the vault. */
  owner: string;
  /** The server to replace, as it was at the time of the plan. */
  old?: ServerConfig | undefined;
}

const day = 86_400_000;
const youngDays = 14;

export async function planInstall(
  request: PlanRequest,
  host: Pick<Host, 'env' | 'homeDir' | 'platform'>,
): Promise<Planned> {
  const { registry, entry, inputs, servers, replace } = request;
  const options = optionsOf(entry);
  const option = options.find(({ id }) => id === request.option) ?? (await preferred(options, host));
  const server = replace?.name ?? serverName(entry.name, request.taken);
  const entered = { ...replace?.registry?.inputs, ...inputs };
  const { owner, isStored } = secretsFor(server, request);
  const derived: Derived = option ? connect(option, entered, owner, isStored) : nothing;
  const runtime = option?.command === undefined ? undefined : await findRuntime(option.command, host);
  const evidence = derived.refused ? unchecked('Not checked.') : await evidenceFor(request, option, host);
  const { ownership, integrity } = evidence;
  const target = option?.target ?? '';
  const card = cardOf(registry, entry, servers);
  const refused = refusal(request, evidence, option) ?? derived.refused;
  const isReady = derived.connection && !refused && !runtime?.isMissing;
  const connection = derived.connection;
  const declared = declaredHosts(option);
  const wants: RegistryWants = {
    ...wantsOf(derived.fields, await hostsOf(option, derived, host), evidence.script),
    ...(declared.length > 0 && { declaredHosts: declared }),
  };
  const origin: RegistryOrigin = {
    registry: registry.url,
    name: entry.name,
    version: entry.version,
    option: option?.id ?? '',
    target,
    ...(integrity && { integrity }),
    inputs: withoutSecrets(entered, derived),
    owner,
    wants,
  };
  const confinement = connection && (await request.confinement(connection, replace));
  const id = planHash(origin, server, { connection, replaced: replace?.name, confinement });
  const plan: RegistryPlan = {
    card,
    option: option?.id ?? '',
    server,
    ...(replace?.registry && {
      replaces: replace.registry.version,
      changes: changesOf(redactServer(replace), { ...derived, wants }),
    }),
    fields: derived.fields,
    problems: Object.fromEntries(derived.problems),
    command: derived.command,
    isRemote: option !== undefined && 'remote' in option.source,
    values: derived.values,
    files: derived.files,
    hosts: wants.hosts,
    ...(wants.declaredHosts && { declaredHosts: wants.declaredHosts }),
    ...(runtime && { runtime }),
    ...(confinement && { confinement }),
    ownership,
    ...(integrity && { integrity }),
    warnings: [...warningsFor(request, option, addressOf(option, derived)), ...derived.warnings, ...evidence.warnings],
    ...(refused && { refused }),
    ...(isReady && { hash: id }),
  };
  return { plan, derived, origin, owner, old: replace };
}

export function wantsOf(fields: readonly Field[], hosts: string[], script?: string): RegistryWants {
  return { inputs: fields.map(({ name, kind }) => ({ name, kind })), hosts, ...(script && { script }) };
}

interface Hashed {
  connection: Connection | undefined;
  /** The name of the server that it replaces. */
  replaced: string | undefined;
  confinement: RegistryPlan['confinement'];
}

/** A hash of everything that an installation would add, to install exactly what the user saw. */
export function planHash(
  origin: RegistryOrigin,
  server: string,
  { connection, replaced, confinement }: Hashed,
): string {
  return hash('sha256', JSON.stringify([origin, server, replaced, connection, confinement?.isConfined]));
}

/** The entry as the window and the command line list it. */
export function cardOf(
  registry: { name: string; url: string },
  entry: RegistryEntry,
  servers: readonly ServerConfig[],
): RegistryCard {
  const { name, title, description, version, publishedAt, updatedAt, repository } = entry;
  const options = optionsOf(entry).map((option) => ({ option, derived: connect(option, {}, '') }));
  const best = options.find(({ derived }) => !derived.refused) ?? options[0];
  const own = servers.find((server) => server.registry?.registry === registry.url && server.registry.name === name);
  return {
    registry: registry.name,
    name,
    ...(title && { title }),
    description,
    version,
    ...(publishedAt !== undefined && { publishedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    isDeprecated: entry.status === 'deprecated',
    ...(repository && { repository }),
    options: options.map(({ option: { id, kind, target }, derived: { refused } }) => ({
      ...{ id, kind, target },
      ...(refused && { refused }),
    })),
    needs: cardNeeds(best?.derived.fields ?? [], best?.option.command, declaredHosts(best?.option)),
    ...(own?.registry && { installed: { server: own.name, version: own.registry.version } }),
  };
}

export function cardNeeds(
  fields: readonly Field[],
  runtime: string | undefined,
  hosts: string[] = [],
): RegistryCard['needs'] {
  const count = (fits: (kind: Field['kind']) => boolean) => fields.filter(({ kind }) => fits(kind)).length;
  return {
    ...(runtime && { runtime }),
    secrets: count((kind) => kind === 'secret'),
    inputs: count((kind) => kind !== 'secret' && kind !== 'file'),
    files: count((kind) => kind === 'file'),
    ...(hosts.length > 0 && { hosts }),
  };
}

const nothing: Derived = {
  ...{ fields: [], problems: new Map(), secrets: new Map(), command: [], values: [], files: [], warnings: [] },
  refused: 'The entry has neither a package nor an address.',
};

/** The first option whose program is installed, otherwise the first option that can be installed at all. */
async function preferred(options: readonly Option[], host: Pick<Host, 'env'>): Promise<Option | undefined> {
  const possible = options.filter((option) => !connect(option, {}, '').refused);
  for (const option of possible)
    if (option.command === undefined || !(await findRuntime(option.command, host)).isMissing) return option;
  return possible[0] ?? options[0];
}

async function evidenceFor(
  { entry, check }: PlanRequest,
  option: Option | undefined,
  host: Pick<Host, 'env' | 'homeDir' | 'platform'>,
) {
  if (!option || 'remote' in option.source) return unchecked('The address was not checked.');
  const { package: pkg } = option.source;
  if (!check) return unchecked('Not checked yet.');
  return packageEvidence(entry, pkg, host);
}

function refusal({ entry, servers, check }: PlanRequest, evidence: Evidence, option?: Option): string | undefined {
  const { ownership, integrity } = evidence;
  if (entry.status === 'deleted') return `The entry was withdrawn. ${entry.statusMessage ?? ''}`.trim();
  if (ownership.state === 'denied') return ownership.detail;
  const target = option?.target ?? '';
  const isSame = (origin: RegistryOrigin) => origin.target === target && origin.option.split('-')[0] === option?.kind;
  const other = servers.find(({ registry }) => registry?.integrity !== undefined && isSame(registry));
  if (!other || !check || (integrity && isSameContent(other.registry?.integrity ?? '', integrity))) return undefined;
  return integrity === undefined
    ? `${target} cannot be compared with the package that was installed as "${other.name}". ${ownership.detail}`
    : `${target} is not the package that was installed as "${other.name}": its content changed, but its version did not.`;
}

function warningsFor({ entry, alike }: PlanRequest, option: Option | undefined, address: URL | null): string[] {
  const { name, status, statusMessage, publishedAt, repository } = entry;
  const warnings: string[] = [];
  const age = publishedAt === undefined ? undefined : Math.floor((Date.now() - publishedAt) / day);
  if (alike)
    warnings.push(
      `Another publisher has an entry with nearly the same name, ${alike}. Make sure that you want this one.`,
    );
  if (status === 'deprecated') warnings.push(`The publisher has deprecated this entry. ${statusMessage ?? ''}`.trim());
  if (age !== undefined && age < youngDays)
    warnings.push(age < 1 ? 'This version is less than a day old.' : `This version is only ${age} days old.`);
  const owner = /^io\.github\.([^/]+)\//.exec(name)?.[1]?.toLowerCase();
  const [, source] = /^https:\/\/github\.com\/([^/]+)\//.exec(repository ?? '') ?? [];
  if (owner && source && source.toLowerCase() !== owner)
    warnings.push(`The repository belongs to ${source}, the entry to ${owner}.`);
  if (option?.kind === 'oci' && !option.target.includes('@sha256:'))
    warnings.push('The image has a tag but no digest, so its publisher can change what runs.');
  if (address?.protocol === 'http:') warnings.push('The address is not encrypted.');
  if (address && isPrivate(address.hostname))
    warnings.push('The address is on this computer or in your own network, which the publisher cannot know.');
  return warnings;
}

/**
 * `io.github.acme/notes-mcp-server` becomes `notes`, or `notes-2` if `notes` is in use. The publisher chooses the name, so it
 * must not be a name that anything else refers to, ignoring case.
 */
export function serverName(entry: string, used: ReadonlySet<string>): string {
  const name =
    entryName(entry)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[-_.]+/, '')
      .slice(0, 60)
      .replace(/[-_.]+$/, '') || 'server';
  const taken = new Set(Array.from(used, (one) => one.toLowerCase()));
  return freeName(isReservedName(name) ? 'server' : name, (one) => taken.has(one.toLowerCase()));
}

/** The inputs to keep with the server. */
export function withoutSecrets(entered: Entered, { fields }: Derived): Record<string, string> {
  const plain = new Set(fields.filter(({ kind }) => kind !== 'secret').map(({ name }) => name));
  return Object.fromEntries(Object.entries(entered).filter(([name]) => plain.has(name)));
}
