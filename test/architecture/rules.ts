/** The directions in which code may import, as design: shared ← core ← host ← serve, shell, cli ← entries; shared ← renderer, preload. */

import { isBuiltin } from 'node:module';
import { dirname, posix } from 'node:path';
import { importsOf } from './imports.ts';

/** Which areas an area may import from, besides itself. Entries are areas of one file. */
const mayImport: Record<string, string[]> = {
  shared: [],
  renderer: ['shared'],
  'electron/preload.ts': ['shared'],
  'electron/bridge.ts': [],
  'electron/core': ['shared'],
  'electron/host': ['electron/core', 'shared'],
  'electron/serve': ['electron/host', 'electron/core', 'shared'],
  'electron/shell': ['electron/host', 'electron/core', 'shared'],
  'electron/cli': ['electron/host', 'electron/core', 'shared'],
  'electron/cli/main.ts': ['electron/cli', 'electron/serve', 'electron/host', 'electron/core', 'shared'],
  'electron/headless.ts': ['electron/serve', 'electron/host', 'electron/core', 'shared'],
  'electron/main.ts': ['electron/shell', 'electron/serve', 'electron/host', 'electron/core', 'shared'],
};

/** The rooms of Core from the ground up: a room imports only from lines above its own. */
const coreLayers = [
  ['extension', 'host.ts', 'in-flight.ts', 'is-alive.ts', 'kept-file.ts', 'lines'],
  ['audit', 'elicitation', 'gateway', 'rules', 'search', 'secrets', 'telemetry', 'trust'],
  ['config', 'discovery', 'import', 'upstream'],
  ['catalog', 'chosen.ts', 'execute', 'install', 'sign-in'],
  ['signals.ts'],
  ['servers', 'toolbox', 'asking.ts', 'clients.ts', 'effective-servers.ts', 'profiles'],
  ['passthrough', 'commands'],
  ['backend.ts'],
  ['core.ts'],
];

const electronPackages = ['electron', 'electron-store'];
const seesElectron = (file: string) =>
  file.startsWith('electron/shell/') || file === 'electron/main.ts' || file === 'electron/preload.ts';
const touchesIpc = ['electron/shell/ipc-wire.ts', 'electron/preload.ts'];
/** Data rather than code: nothing is won by cutting them up. */
const wordLists = ['electron/core/search/synonyms.ts'];
const isIsomorphic = (file: string) => file.startsWith('shared/') || file.startsWith('renderer/');

/** Everything in `files` (path from the root → source) that breaks a rule, in words. */
export function violations(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, source]) => [...importViolations(file, source), ...textViolations(file, source)]);
}

function importViolations(file: string, source: string): string[] {
  const area = areaOf(file);
  if (!area) return [`${file} lies in no known area`];
  return importsOf(file, source).flatMap((name) => {
    if (!name.startsWith('.')) return packageViolations(file, name);
    const target = posix.normalize(posix.join(dirname(file), name.replace(/\?.*$/, '')));
    // The version, and what the Node of a Core is started with; everything else of the project's own is code.
    if (target === 'package.json' || target === 'electron/core-flags.json') return [];
    const wrongArea = areaViolations(file, area, target);
    return wrongArea.length > 0 ? wrongArea : roomViolations(file, target);
  });
}

function packageViolations(file: string, name: string): string[] {
  const found: string[] = [];
  if (electronPackages.includes(name.split('/')[0] ?? '') && !seesElectron(file))
    found.push(`${file} imports ${name}: only the shell, main.ts and preload.ts know Electron`);
  if (isBuiltin(name) && isIsomorphic(file)) found.push(`${file} imports ${name}: it also runs where there is no Node`);
  return found;
}

function areaViolations(file: string, area: string, target: string): string[] {
  const other = areaOf(target);
  if (!other) return [`${file} imports ${target}, which lies in no known area`];
  if (other === area || mayImport[area]?.includes(other)) return [];
  return [`${file} imports ${target}: ${area} may not import from ${other}`];
}

/** A room is entered through the file that bears its name, and rooms of Core know only those below them. */
function roomViolations(file: string, target: string): string[] {
  const own = roomOf(file);
  const other = roomOf(target);
  if (!other || other.path === own?.path) return [];
  const found: string[] = [];
  if (target !== other.entry) found.push(`${file} imports ${target}: the room is entered through ${other.entry}`);
  if (own?.isOfCore && other.isOfCore && !(layerOf(other.name) < layerOf(own.name)))
    found.push(`${file} imports ${target}: ${own.name} does not stand above ${other.name}`);
  return found;
}

function textViolations(file: string, source: string): string[] {
  const found: string[] = [];
  if (/@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/.test(source)) found.push(`${file} switches a check off`);
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  if (/\bipc(?:Main|Renderer)\b/.test(code) && !touchesIpc.includes(file))
    found.push(`${file} touches Electron's IPC: only the Wire does`);
  if (!/^(?:#!.*\n)?\/\*\*/.test(source)) found.push(`${file} does not say at its top what it is for`);
  if (source.split('\n').length > 301 && !wordLists.includes(file)) found.push(`${file} is longer than 300 lines`);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.config)?\.tsx?$/.test(posix.basename(file)))
    found.push(`${file} is not named in kebab-case`);
  return found;
}

function areaOf(file: string): string | undefined {
  if (file in mayImport) return file;
  const [first, second] = file.split('/');
  const area = first === 'electron' ? `${first}/${second}` : first;
  return area && area in mayImport ? area : undefined;
}

interface Room {
  path: string;
  name: string;
  entry: string;
  isOfCore: boolean;
}

/** `electron/core/search/fold.ts` → the room `search`; files directly in `electron/core` are rooms of one file. */
function roomOf(file: string): Room | undefined {
  const [first, second, third, fourth] = file.split('/');
  if (first !== 'electron' || !second || !third) return undefined;
  if (second !== 'core') {
    // The command line is an entry: nobody imports it.
    return { path: `electron/${second}`, name: second, entry: `electron/${second}/${second}.ts`, isOfCore: false };
  }
  const path = `electron/core/${third}`;
  return { path, name: third, entry: fourth ? `${path}/${third}.ts` : path, isOfCore: true };
}

function layerOf(room: string): number {
  const layer = coreLayers.findIndex((rooms) => rooms.includes(room));
  // A room that is on no line stands above everything and below nothing.
  return layer === -1 ? Number.NaN : layer;
}
