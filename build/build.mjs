/**
 * Builds dist/ from the sources with Vite: `node build/build.mjs [--force] [--only=node,bridge]`. Skips targets that are up
 * to date. Bundles everything except Electron and native modules, so that a start reads few files.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dist, root, say } from './paths.mjs';

/** Packages that are not bundled: Electron, native code, and a compiler that loads its own files. */
const external = ['electron', '@napi-rs/keyring', 'jiti'];
const builtins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`), /^node:/];

/** Bundled CommonJS packages expect these two variables. */
const commonJsNames = [
  "import { dirname as __dirnameOf } from 'node:path';",
  "import { fileURLToPath as __pathOf } from 'node:url';",
  'const __filename = __pathOf(import.meta.url), __dirname = __dirnameOf(__filename);',
].join('\n');

/** Escapes non-ASCII characters: if a script has one, Node keeps its whole source in memory with two bytes per character. */
const inAscii = {
  name: 'in-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
  },
};

/**
 * An ES import of a Node module evaluates all its exports, including lazy ones: node:http creates `fetch`, which takes
 * 30 ms and 12 MB. `process.getBuiltinModule` creates only what is used.
 */
const builtinsOnDemand = {
  name: 'builtins-on-demand',
  renderChunk(code, _, { format }) {
    if (format !== 'es') return undefined;
    const replaced = code.replace(
      /^import (?:(\w[\w$]*),? )?(?:\* as (\w[\w$]*) |(\{[^}]*\}) )?(?:from )?["'](node:[\w/]+)["'];$/gm,
      (_, whole, all, named, from) => {
        const names = [whole, all, named?.replace(/ as /g, ': ')].filter(Boolean);
        return names.map((name) => `const ${name} = process.getBuiltinModule("${from}");`).join(' ');
      },
    );
    // Keep each import on its line, so that the source map stays valid for all other lines.
    return { code: replaced, map: null };
  },
};

/** The build targets: sources (for the stamp), entries, and format. With `bundlesPackages`, writes a file of their licenses. */
const targets = [
  {
    name: 'node',
    sources: ['electron', 'shared'],
    entries: {
      main: 'electron/main.ts',
      headless: 'electron/headless.ts',
      cli: 'electron/cli/main.ts',
      plugin: 'electron/core/plugins/plugin-api.ts',
      config: 'electron/core/plugins/config-api.ts',
    },
    format: 'es',
    bundlesPackages: true,
  },
  { name: 'preload', sources: ['electron', 'shared'], entries: { preload: 'electron/preload.ts' }, format: 'cjs' },
  { name: 'bridge', sources: ['electron', 'shared'], entries: { bridge: 'electron/bridge.ts' }, format: 'cjs' },
  { name: 'renderer', sources: ['renderer', 'shared'], config: 'renderer/vite.config.ts' },
];

/** Builds outdated targets, or those of `only`; resolves with the names of the targets that were built. */
export async function build({ force = false, only } = {}) {
  const unlock = await lock();
  // Never bundle React's development build, whatever the environment.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const built = [];
    for (const target of targets) {
      if (!exists(target) || (only && !only.includes(target.name))) continue;
      const stamp = stampOf(target);
      if (!force && stamp === readStamp(target)) continue;
      if (built.length === 0) say('Building…');
      await buildTarget(target);
      writeFileSync(stampFile(target), stamp);
      built.push(target.name);
    }
    return built;
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    unlock();
  }
}

/** True if dist/ has all targets, built from the current sources. */
export function isFresh() {
  return targets.every((target) => !exists(target) || stampOf(target) === readStamp(target));
}

function exists(target) {
  if (target.config) return existsSync(join(root, target.config));
  return Object.values(target.entries).some((entry) => existsSync(join(root, entry)));
}

async function buildTarget(target) {
  const { build: viteBuild } = await import('vite');
  const staging = join(dist, '.staging', target.name);
  rmSync(staging, { recursive: true, force: true });
  if (target.config) {
    const outDir = join(staging, 'renderer');
    await viteBuild({
      configFile: join(root, target.config),
      root: dirname(join(root, target.config)),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    replaceFolder(outDir, join(dist, 'renderer'));
    return;
  }
  const input = Object.fromEntries(
    Object.entries(target.entries)
      .map(([name, file]) => [name, join(root, file)])
      .filter(([, file]) => existsSync(file)),
  );
  const extension = target.format === 'cjs' ? 'cjs' : 'js';
  await viteBuild({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external, target: 'node' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [builtinsOnDemand, inAscii],
    build: {
      ssr: true,
      target: 'node24',
      outDir: staging,
      minify: false,
      sourcemap: true,
      license: target.bundlesPackages === true && { fileName: `licenses-${target.name}.md` },
      rolldownOptions: {
        input,
        external: [...external, ...builtins],
        output: {
          format: target.format,
          banner: target.format === 'es' ? commonJsNames : '',
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `chunks/[name]-[hash].${extension}`,
          // Files move from the staging folder to dist/, and source paths are relative to the map's final location.
          sourcemapPathTransform: (source, mapFile) => {
            const moved = join(dist, relative(staging, mapFile));
            return relative(dirname(moved), resolve(dirname(mapFile), source));
          },
        },
      },
    },
  });
  const files = filesUnder(staging);
  // Chunks first, so that an entry never refers to a missing chunk.
  for (const file of files.sort((a, b) => Number(!a.includes('chunks')) - Number(!b.includes('chunks')))) {
    const to = join(dist, relative(staging, file));
    mkdirSync(dirname(to), { recursive: true });
    renameSync(file, to);
  }
  rmSync(staging, { recursive: true, force: true });
  if (target.name === 'node') forgetOldChunks(new Set(files.map((file) => relative(staging, file))));
}

/** A process of the previous build may still load its chunks, so delete them only after ten minutes. */
function forgetOldChunks(current) {
  for (const file of filesUnder(join(dist, 'chunks')))
    if (!current.has(relative(dist, file)) && Date.now() - statSync(file).mtimeMs > 600_000) rmSync(file);
}

function replaceFolder(from, to) {
  const old = `${to}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

/** A hash of the names, sizes and times of a target's sources. */
function stampOf(target) {
  const hash = createHash('sha256');
  const files = [...target.sources.flatMap((source) => filesUnder(join(root, source)))];
  for (const file of [
    ...files,
    join(root, 'package.json'),
    join(root, 'package-lock.json'),
    join(root, 'build/build.mjs'),
  ]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}:${size}:${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const stampFile = (target) => join(dist, `.stamp-${target.name}`);

function readStamp(target) {
  const outputs = target.config
    ? ['renderer/index.html']
    : Object.entries(target.entries)
        .filter(([, file]) => existsSync(join(root, file)))
        .map(([name]) => `${name}.${target.format === 'cjs' ? 'cjs' : 'js'}`);
  if (!outputs.every((file) => existsSync(join(dist, file)))) return undefined;
  return existsSync(stampFile(target)) ? readFileSync(stampFile(target), 'utf8') : undefined;
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Concurrent builds (a test run and a start) would write the same files, so the second one waits. */
async function lock() {
  const folder = join(dist, '.lock');
  mkdirSync(dist, { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isHolderAlive(folder)) rmSync(folder, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function isHolderAlive(folder) {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // There is no pid file yet: the holder is between its two writes, or ended between them.
    if (error.code === 'ENOENT') return existsSync(folder) && Date.now() - statSync(folder).mtimeMs < 2000;
    return error.code === 'EPERM';
  }
}

/** npm runs `prepare` between `prepack`, which has built and then replaced package.json, and `postpack`. */
const isPacking =
  process.env.npm_lifecycle_event === 'prepare' && ['pack', 'publish'].includes(process.env.npm_command ?? '');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && !isPacking) {
  const only = process.argv
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  await build({ force: process.argv.includes('--force'), only }).catch((error) => {
    say(`The build failed. ${error.message}`);
    process.exit(1);
  });
}
