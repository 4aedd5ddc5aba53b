/** A server in the form that UIs show. */
import { failureCodes } from '../../../shared/failure.ts';
import type { OfferKind } from '../../../shared/model/prompt.ts';
import type { Connection, InstanceView, ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { History } from '../history/history.ts';
import type { Host } from '../host.ts';
import { describeConnection } from '../secrets/redact.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import { instancesOf } from './lifecycle/load-balancer.ts';
import { unconfinedView } from './new-servers.ts';
import { environmentOf } from './process/environment.ts';
import type { Servers } from './servers.ts';
import { supposedNeed } from './unsuited.ts';

export interface ServerViewSources {
  host: Pick<Host, 'platform' | 'env' | 'store'>;
  servers: Servers;
  catalog: Catalog;
  knownTools: KnownTools;
  history: History;
}

export function serverView(config: ServerConfig, parts: ServerViewSources): ServerView {
  const { name, connection, enabled } = config;
  const { status, phase, phases, failure, era, pid, isConfined, startedAt, restarts, breaker, instances, warnings } =
    parts.servers.state(name);
  const { discovered, discoveredAt, updatedFrom } = parts.catalog.entry(name) ?? {};
  const tools = parts.knownTools.counts(name);
  const offers = (kind: OfferKind) =>
    (discovered?.[kind].length ?? 0) + (discovered?.held?.filter((offer) => offer.kind === kind).length ?? 0);
  return {
    id: name,
    slug: parts.servers.slug(name),
    description: config.description ?? firstProse(discovered?.instructions) ?? '',
    transport: parts.servers.isPlugin(name) ? 'plugin' : connection.type,
    target: targetOf(connection),
    status: enabled ? status : 'disabled',
    ...(parts.servers.isDiscovering(name) && { discovering: true }),
    phase,
    failure: enabled ? failure : undefined,
    ...(enabled && parts.servers.isUnavailable(name) && { isUnavailable: true }),
    signIn: parts.servers.signInState(name),
    signInPage: parts.servers.signInPage(name),
    toolCount: tools.all,
    enabledCount: tools.enabled,
    discoveredAt,
    promptCount: offers('prompts'),
    resourceCount: offers('resources'),
    resourceTemplateCount: offers('resourceTemplates'),
    icon: discovered?.icon?.id,
    version: discovered?.version,
    updatedFrom,
    era,
    pid,
    isConfined,
    unconfined: unconfinedView(config, parts.host),
    confinement: parts.servers.confinement(name),
    supposedNeed: isConfined ? supposedNeed(connection) : undefined,
    startedAt,
    restarts,
    breaker,
    phases,
    warnings: [...warnings, ...(discovered?.warnings ?? [])],
    origins: config.origins ?? [],
    environment: connection.type === 'stdio' ? environmentOf(config) : undefined,
    calls: parts.history.serverStatistics(name),
    ...(parts.servers.isPerClient(name) && { isPerClient: true }),
    ...(instances && { instances: withTargets(instances, config) }),
  };
}

/**
 * The first prose in the instructions, before their first section. Skips the Markdown heading (it repeats the name), lists, and
 * introductory paragraphs with a label, such as "Audience: …" or "Usage rules:".
 */
export const firstProse = (text: string | undefined) =>
  text
    ?.slice(0, 4_000)
    .replace(/^# .*$/m, '')
    .replace(/^#.*/ms, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .find((prose) => prose !== '' && !prose.endsWith(':') && !/^(?:[A-Z]\w{0,20}: |[-*] |\d+[.)] )/.test(prose))
    ?.slice(0, 120);

function withTargets(instances: InstanceView[], config: ServerConfig): InstanceView[] {
  if (config.connection.type === 'stdio') return instances;
  const targets = instancesOf(config).map(({ connection }) => describeConnection(connection));
  return instances.map((instance, index) => ({ ...instance, target: targets[index] }));
}

/** Caches the redacted targets, because redaction costs more than the rest of a view, and views are requested often. */
const targets = new WeakMap<Connection, string>();
function targetOf(connection: Connection): string {
  const known = targets.get(connection);
  if (known !== undefined) return known;
  const target = describeConnection(connection);
  targets.set(connection, target);
  return target;
}

/** The view without details about the machine, for requests without a token. */
export function withoutDetail({
  pid: _pid,
  startedAt: _startedAt,
  instances: _each,
  version: _version,
  updatedFrom: _from,
  signInPage: _page,
  unconfined: _unconfined,
  confinement: _confinement,
  failure,
  ...view
}: ServerView): ServerView {
  return {
    ...view,
    target: '',
    phases: [],
    warnings: [],
    origins: [],
    ...(failure && { failure: { code: failure.code, message: failureCodes[failure.code] } }),
  };
}
