/**
 * Replaces the checkout's package.json with that of the npm package for `npm pack` (`node build/npm-package.mjs`), and
 * restores it afterwards (`--restore`). Everything but native code and the loader of TypeScript configs is bundled in
 * dist/, so the package has one dependency, which it contains, and an optional native one. It runs on the user's Node,
 * unlike a checkout, which also installs Node 24. The checkout itself stays private: publish the archive.
 */
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root, say } from './paths.mjs';

const file = join(root, 'package.json');
const saved = join(root, 'node_modules', '.package.json.saved');
/** The entries in the npm package. It has no desktop app, because Electron downloads its own binary. */
const entries = ['dist/cli.js', 'dist/headless.js', 'dist/plugin.js', 'dist/config.js'];

if (process.argv.includes('--restore')) restore();
else rewrite();

function rewrite() {
  restore();
  const { mtime, atime } = statSync(file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(saved, text);
  utimesSync(saved, atime, mtime);
  writeFileSync(file, `${JSON.stringify(manifest(JSON.parse(text)), withoutPlaceholder, 2)}\n`);
}

/** Restores package.json with its original times, so that the build does not count as outdated. */
function restore() {
  if (!existsSync(saved)) return;
  renameSync(saved, file);
  say('package.json is that of the checkout again.');
}

/** Until the first release, the addresses of the maintainers are placeholders. */
function withoutPlaceholder(_key, value) {
  return String(value).includes('.invalid') ? undefined : value;
}

function manifest({ name, version, description, license, author, homepage, type, bin, dependencies }) {
  return {
    ...{ name, version, description, license, author, homepage, type, engines: { node: '>=24' }, bin },
    exports: {
      './config': './dist/config.js',
      './plugin': './dist/plugin.js',
      './package.json': './package.json',
    },
    files: [
      ...bundled(entries),
      'dist/bridge.cjs',
      'dist/licenses-*.md',
      'dist/renderer',
      '!dist/**/*.map',
      'models/search',
      'build/toolkeep.cjs',
    ],
    dependencies: { jiti: dependencies.jiti },
    bundleDependencies: ['jiti'],
    optionalDependencies: { '@napi-rs/keyring': dependencies['@napi-rs/keyring'] },
  };
}

/** The files and everything that they import. dist/ may also contain chunks of earlier builds. */
function bundled(from) {
  const found = new Set(from);
  for (const path of found) {
    const code = readFileSync(join(root, path), 'utf8');
    for (const [, target] of code.matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g)) {
      const resolved = posix.join(posix.dirname(path), target);
      if (existsSync(join(root, resolved))) found.add(resolved);
    }
  }
  return [...found];
}
