/** Rehearses updates: tries the new version separately, and remembers the tools that the user saw until the installation. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fail, toFailure } from '../../../shared/failure.ts';
import type { Rehearsal } from '../../../shared/model/rehearsal.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { isInside } from '../policy/paths.ts';
import { storedServer } from '../registry/journal.ts';
import type { Planned } from '../registry/plan.ts';
import { fileAt } from '../secrets/resolve.ts';
import { canConfine } from '../servers/new-servers.ts';
import { compareTools } from '../tools/compare-tools.ts';
import type { CommandServices } from './services.ts';

type Inputs = Record<string, string>;

export function createRehearsals(services: CommandServices) {
  const { host, servers, stores, events } = services;
  /** For each server: the hash of the last rehearsed plan, and the tools and version that the user saw. */
  const seen = new Map<string, { hash: string | undefined; tools: Tool[]; version: string | undefined }>();

  /** Starts the planned version and lists its tools. The start verifies the package against `registry`. */
  async function list({ plan: { server }, derived: { connection } }: Planned, registry: Planned['origin']) {
    const config = storedServer(host, server);
    if (!config || !connection) throw new Error(`The plan of ${server} is not complete.`);
    const { lifecycle } = config;
    const sandbox = config.sandbox || ((await canConfine(connection, host)) && 'auto');
    return servers.rehearse({ name: server, enabled: true, connection, registry, lifecycle, sandbox });
  }

  return {
    /** `planned` replaces a server. `replan` makes the same plan with other values for some inputs. */
    async run(planned: Planned, replan: (inputs: Inputs) => Promise<Planned>): Promise<Rehearsal> {
      const { server, replaces, hash } = planned.plan;
      if (replaces === undefined) throw fail('INPUT_INVALID', 'Only an update can be rehearsed.');
      seen.delete(server);
      const folder = await mkdtemp(join(tmpdir(), 'toolkeep-stand-in-'));
      try {
        const replanned = await replan(await standInPaths(planned, folder, host.homeDir));
        requireStandIns(replanned, folder);
        const { tools, version } = await list(replanned, planned.origin);
        const { pins, catalog } = stores;
        const { changes, shown } = await compareTools(catalog.toolsOf(server), tools, pins.heldBefore);
        seen.set(server, { hash, tools: shown, version });
        return { ...changes, ...(version !== undefined && { version }) };
      } catch (error) {
        return { tools: [], same: 0, more: 0, failure: toFailure(error) };
      } finally {
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      }
    },
    /** Forgets the rehearsal. If `isAccepted`, accepts the tools that it showed, except suspicious ones. */
    installed({ plan: { server, hash } }: Planned, isAccepted: boolean): void {
      const rehearsed = seen.get(server);
      seen.delete(server);
      if (!isAccepted || !rehearsed || rehearsed.hash !== hash) return;
      for (const tool of rehearsed.tools) if (tool.findings.length === 0) stores.pins.accept(tool, rehearsed.version);
      events.emit('tools.changed', { servers: [server] });
    },
  };
}

/**
 * Throws INSTALL_REFUSED if the new version would receive one of the user's paths, such as a folder that its entry
 * mounts.
 */
function requireStandIns({ derived, plan: { server } }: Planned, folder: string): void {
  const real = derived.files.find((file) => !isInside(folder, file));
  if (real !== undefined)
    throw fail(
      'INSTALL_REFUSED',
      `${real} cannot be replaced with a temporary path, so the new version cannot be tried safely.`,
      { server },
    );
}

/** Creates an empty file or folder for each one that the user chose. Returns inputs that refer to these. */
async function standInPaths({ derived, origin }: Planned, folder: string, homeDir: string): Promise<Inputs> {
  const paths = new Set(derived.files);
  const inputs: Inputs = {};
  let count = 0;
  for (const { name, default: standard } of derived.fields) {
    const lines = (origin.inputs[name] ?? String(standard ?? '')).split('\n');
    if (!lines.some((line) => paths.has(line))) continue;
    const standIns: string[] = [];
    for (const line of lines) {
      count += 1;
      standIns.push(await standInPath(fileAt(line, homeDir), join(folder, String(count))));
    }
    inputs[name] = standIns.join('\n');
  }
  return inputs;
}

async function standInPath(path: string, folder: string): Promise<string> {
  await mkdir(folder);
  const standIn = join(folder, basename(path));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) await mkdir(standIn, { recursive: true });
  else if (found) await writeFile(standIn, '');
  return standIn;
}
