/** Which module may import which. `docs/architecture.md` shows this as a diagram. */

import { isBuiltin } from 'node:module';
import { dirname, posix } from 'node:path';
import { importsOf } from './imports.ts';

/** The areas of the code, each with the areas it may import from. An area is a folder or a single file. */
const areas: Record<string, string[]> = {
  shared: [],
  renderer: ['shared'],
  'electron/preload.ts': ['shared'],
  'electron/bridge': ['shared'],
  'electron/bridge.ts': ['electron/bridge', 'shared'],
  'electron/core': ['shared'],
  'electron/host': ['electron/bridge', 'electron/core', 'shared'],
  'electron/http': ['electron/host', 'electron/core', 'shared'],
  'electron/cli': ['electron/http', 'electron/host', 'electron/bridge', 'electron/core', 'shared'],
  'electron/desktop': ['electron/http', 'electron/host', 'electron/core', 'shared'],
  'electron/headless.ts': ['electron/cli', 'electron/host', 'shared'],
  'electron/main.ts': ['electron/desktop', 'electron/http', 'electron/host', 'electron/core', 'shared'],
};

/** The modules of Core, top to bottom. A module imports only from the modules below it. */
const coreModules = [
  'core.ts',
  'commands',
  'upstream.ts',
  'stores.ts',
  'gateway',
  'calls',
  'policy',
  'elicitation',
  'servers',
  'config',
  'tools',
  'plugins',
  'registry',
  'clients',
  'search',
  'rules',
  'secrets',
  'history',
  'jsonrpc',
  'files',
  'async',
  'events.ts',
  'types.ts',
  'host.ts',
  'settings.ts',
];

const electronPackages = ['electron', 'electron-store'];
const mayUseElectron = (file: string) =>
  file.startsWith('electron/desktop/') || file === 'electron/main.ts' || file === 'electron/preload.ts';
const mayUseIpc = ['electron/desktop/ipc-wire.ts', 'electron/preload.ts'];
const isIsomorphic = (file: string) => file.startsWith('shared/') || file.startsWith('renderer/');

/** Everything in `files` (path from the root → source) that breaks a rule, one sentence each. */
export function violations(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, source]) => [...importViolations(file, source), ...textViolations(file, source)]);
}

function importViolations(file: string, source: string): string[] {
  const area = areaOf(file);
  if (!area) return [`${file} is in no known area`];
  return importsOf(file, source).flatMap((name) => {
    if (!name.startsWith('.')) return packageViolations(file, name);
    const target = posix.normalize(posix.join(dirname(file), name.replace(/\?.*$/, '')));
    // Data, not code: the version, and the flags that Node is started with.
    if (target === 'package.json' || target === 'electron/core-flags.json') return [];
    const wrongArea = areaViolations(file, area, target);
    return wrongArea.length > 0 ? wrongArea : moduleViolations(file, target);
  });
}

function packageViolations(file: string, name: string): string[] {
  const found: string[] = [];
  if (electronPackages.includes(name.split('/')[0] ?? '') && !mayUseElectron(file))
    found.push(`${file} imports ${name}: only desktop, main.ts and preload.ts may use Electron`);
  if (isBuiltin(name) && isIsomorphic(file))
    found.push(`${file} imports ${name}: this code also runs where there is no Node`);
  return found;
}

function areaViolations(file: string, area: string, target: string): string[] {
  const other = areaOf(target);
  if (!other) return [`${file} imports ${target}, which is in no known area`];
  if (other === area || areas[area]?.includes(other)) return [];
  return [`${file} imports ${target}: ${area} may not import from ${other}`];
}

/**
 * Other modules may import the files directly in a module's folder. Its subfolders are private, except for a file named
 * after its folder.
 */
function moduleViolations(file: string, target: string): string[] {
  const own = moduleOf(file);
  const other = moduleOf(target);
  if (!other || other.path === own?.path) return [];
  const found: string[] = [];
  const [first, second, ...deeper] = target.slice(other.path.length + 1).split('/');
  if (deeper.length > 0 || (second !== undefined && second !== `${first}.ts`))
    found.push(`${file} imports ${target}, which is private to ${other.path}`);
  if (own?.isInCore && other.isInCore && !(levelOf(other.name) > levelOf(own.name)))
    found.push(`${file} imports ${target}: ${other.name} is not below ${own.name}`);
  return found;
}

function textViolations(file: string, source: string): string[] {
  const found: string[] = [];
  if (/@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/.test(source)) found.push(`${file} disables a check`);
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  // Without a parent window, a message box on macOS blocks the main process and cannot be withdrawn.
  if (/\bdialog\.showMessageBox(?:Sync)?\(\s*\{/.test(code))
    found.push(`${file} shows a message box without a parent window`);
  if (/\bipc(?:Main|Renderer)\b/.test(code) && !mayUseIpc.includes(file))
    found.push(`${file} uses Electron's IPC: only the Wire may`);
  if (!/^(?:#!.*\n)?\/\*\*/.test(source)) found.push(`${file} has no header comment`);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:config|module|d))?\.tsx?$/.test(posix.basename(file)))
    found.push(`${file} is not named in kebab-case`);
  if (isBarrel(source)) found.push(`${file} only re-exports other files`);
  return found;
}

/** A file whose every statement re-exports another file. */
function isBarrel(source: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  const statements = code.match(/;/g)?.length ?? 0;
  return (
    statements > 1 && code.replace(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*\sfrom\s+'[^']+';/g, '').trim() === ''
  );
}

function areaOf(file: string): string | undefined {
  if (file in areas) return file;
  const [first, second] = file.split('/');
  const area = first === 'electron' ? `${first}/${second}` : first;
  return area && area in areas ? area : undefined;
}

interface Module {
  path: string;
  name: string;
  isInCore: boolean;
}

/** `electron/core/search/query/rank.ts` → the module `search`; a file directly in `electron/core` is a separate module. */
function moduleOf(file: string): Module | undefined {
  const [first, second, third] = file.split('/');
  if (first !== 'electron' || !second || !third) return undefined;
  if (second !== 'core') return { path: `electron/${second}`, name: second, isInCore: false };
  return { path: `electron/core/${third}`, name: third, isInCore: true };
}

function levelOf(module: string): number {
  const level = coreModules.indexOf(module);
  // A module that is not in the list may import nothing and be imported by nothing.
  return level === -1 ? Number.NaN : level;
}
