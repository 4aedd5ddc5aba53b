/** A server as a face shows it. */
import { failureCodes } from '../../../shared/failure.ts';
import type { Connection, InstanceView, ServerConfig, ServerView } from '../../../shared/model.ts';
import type { Audit } from '../audit/audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { describeConnection } from '../secrets/secrets.ts';
import type { Servers } from '../servers/servers.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import { instancesOf } from '../upstream/upstream.ts';

export function serverView(
  config: ServerConfig,
  parts: { servers: Servers; catalog: Catalog; toolbox: Toolbox; audit: Audit },
): ServerView {
  const { name, connection, enabled } = config;
  const { status, phase, phases, failure, era, pid, startedAt, restarts, breaker, instances } =
    parts.servers.state(name);
  const { discovered, updatedFrom } = parts.catalog.entry(name) ?? {};
  const tools = parts.toolbox.counts(name);
  return {
    id: name,
    slug: parts.servers.slug(name),
    description: config.description ?? firstSentence(discovered?.instructions) ?? '',
    transport: parts.servers.isProvided(name) ? 'plugin' : connection.type,
    target: targetOf(connection),
    status: enabled ? status : 'disabled',
    ...(parts.servers.isDiscovering(name) && { discovering: true }),
    phase,
    failure: enabled ? failure : undefined,
    signIn: parts.servers.signInState(name),
    toolCount: tools.all,
    enabledCount: tools.enabled,
    promptCount: discovered?.prompts.length ?? 0,
    resourceCount: discovered?.resources.length ?? 0,
    version: discovered?.version,
    updatedFrom,
    era,
    pid,
    startedAt,
    restarts,
    breaker,
    phases,
    warnings: discovered?.warnings ?? [],
    origins: config.origins ?? [],
    calls: parts.audit.ofServer(name),
    ...(instances && { instances: withTargets(instances, config) }),
  };
}

/** The first line of instructions that is prose: most begin with a Markdown heading that repeats the name. */
const firstSentence = (text: string | undefined) =>
  text
    ?.split('\n', 20)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'))
    ?.slice(0, 120);

function withTargets(instances: InstanceView[], config: ServerConfig): InstanceView[] {
  if (config.connection.type === 'stdio') return instances;
  const targets = instancesOf(config).map(({ connection }) => describeConnection(connection));
  return instances.map((instance, index) => ({ ...instance, target: targets[index] }));
}

/** Masking costs more than the rest of a view, and views are asked for often. */
const targets = new WeakMap<Connection, string>();
function targetOf(connection: Connection): string {
  const known = targets.get(connection);
  if (known !== undefined) return known;
  const target = describeConnection(connection);
  targets.set(connection, target);
  return target;
}

/** The status without what would tell a stranger how this machine is set up (row E8). */
export function withoutDetail({
  pid: _pid,
  startedAt: _startedAt,
  instances: _each,
  version: _version,
  updatedFrom: _from,
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
