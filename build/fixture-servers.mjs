/**
 * Vitest's global setup: bundles the fixture servers and the npm servers that tests start, each to one file. Hundreds of processes run
 * them; from its packages, each would read and compile two hundred files.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { cache, root } from './paths.mjs';

const folder = join(cache, 'fixture-servers');
const own = ['content', 'elicit', 'github', 'library'].map((name) => `test/fixtures/${name}.ts`);
/** Their files keep the end of their paths, by which Toolkeep knows a server. */
const packages = ['filesystem', 'memory', 'everything'].map(
  (name) => `node_modules/@modelcontextprotocol/server-${name}`,
);

/** Bundles again after a change of the sources or the packages. `TOOLKEEP_FIXTURE_SERVERS` tells test/fixtures/commands.ts where. */
export async function setup() {
  const stamp = stampOf([
    ...globSync('test/fixtures/*.ts', { cwd: root }),
    'package-lock.json',
    'build/fixture-servers.mjs',
  ]);
  const stampFile = join(folder, 'stamp');
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    rmSync(folder, { recursive: true, force: true });
    for (const file of own) await bundle(file, file.replace(/\.ts$/, '.mjs'));
    for (const name of packages) {
      await bundle(`${name}/dist/index.js`, `${name}/dist/index.js`);
      cpSync(join(root, name, 'package.json'), join(folder, name, 'package.json'));
    }
    // This server looks for its documents beside the folder of its code, which now is one level higher.
    cpSync(join(root, packages[2], 'dist/docs'), join(folder, packages[2], 'docs'), { recursive: true });
    writeFileSync(stampFile, stamp);
  }
  process.env.TOOLKEEP_FIXTURE_SERVERS = folder;
}

async function bundle(source, target) {
  const { build } = await import('vite');
  const file = join(folder, target);
  mkdirSync(dirname(file), { recursive: true });
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node24',
      outDir: dirname(file),
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: join(root, source),
        external: [...builtinModules, /^node:/],
        output: { format: 'es', entryFileNames: file.slice(dirname(file).length + 1), codeSplitting: false },
      },
    },
  });
}

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file}:${size}:${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
