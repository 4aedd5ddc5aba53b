/** Determines how this Core runs: its binary, session, sandbox, keyring, tray and updates, and the results of its last smoke run. */
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { type Installation, smokeReportSchema } from '../../../../shared/model/installation.ts';
import type { Host } from '../../host.ts';
import type { CommandServices } from '../services.ts';

type Services = Pick<CommandServices, 'host' | 'stores'>;
type Fact = Installation['facts'][number];

export async function installation(services: Services): Promise<Installation> {
  return { facts: installationFacts(services), smoke: await lastSmokeRun(services.host) };
}

export function installationFacts({ host, stores: { vault } }: Services): Fact[] {
  const { electron, node } = process.versions;
  const { desktop } = host;
  const facts: Fact[] = [];
  const add = (name: Fact['name'], value: string, isProblem = false) => void facts.push({ name, value, isProblem });
  add('binary', `${process.execPath} (${electron ? `Electron ${electron}` : `Node.js ${node}`})`);
  add('session', sessionOf(host));
  if (desktop) {
    const { isSandboxed, hasTray } = desktop();
    add('sandbox', isSandboxed ? 'enabled' : 'disabled by --no-sandbox', !isSandboxed);
    add('tray', hasTray ? 'shows icons' : 'shows no icons, so closing the window quits Toolkeep', !hasTray);
  }
  add('secrets', vault.persistent ? vault.label : `${vault.label}, not stored on disk`, !vault.persistent);
  if (host.updates) add('updates', host.updates.channel);
  return facts;
}

function sessionOf({ platform, env }: Host): string {
  const system = `${platform} ${release()} ${process.arch}`;
  if (platform !== 'linux') return system;
  return `${system}, ${env.XDG_SESSION_TYPE ?? 'no graphical session'}, desktop ${env.XDG_CURRENT_DESKTOP ?? 'unknown'}`;
}

/** `npm run smoke -- --app` writes its report to the data folder. */
async function lastSmokeRun({ dataDir }: Host): Promise<Installation['smoke']> {
  try {
    return smokeReportSchema.parse(JSON.parse(await readFile(join(dataDir, 'smoke-report.json'), 'utf8')));
  } catch {
    return undefined;
  }
}
