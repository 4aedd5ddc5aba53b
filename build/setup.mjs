/**
 * Prepares a checkout to run: `node build/setup.mjs [--browser]`. Installs from the lockfile if node_modules is missing or
 * outdated; with --browser also finds or installs Chromium. Uses only what Node 20 provides.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureChromium } from './chromium.mjs';
import { projectNode, root, say } from './paths.mjs';
import { ensureTestTools } from './test-tools.mjs';

/** Installs missing packages; resolves when the checkout can run. Rejects with a message for the user. */
export async function setup({ browser = false, systemTools = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(
      `Toolkeep needs Node 20.19 or newer to set itself up; this is ${process.version}. Get it from https://nodejs.org.`,
    );
  const reason = staleReason();
  if (reason) await install(reason);
  if (projectNode() === process.execPath && major < 24)
    throw new Error(
      `There is no Node 24 for ${process.platform}-${process.arch} on npm, and this is ${process.version}. Install Node 24 and run the command again.`,
    );
  if (browser) ensureChromium();
  if (systemTools) ensureTestTools();
}

/** Why the installed packages differ from the lockfile; undefined if they match. */
export function staleReason() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'first time: about half a minute';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    // The lockfile also lists packages for other platforms, which are not installed.
    if (path === '' || entry.link || !fits(entry)) continue;
    if (entry.optional && !installed[path] && !path.startsWith('node_modules/node-')) continue;
    if (installed[path]?.version !== entry.version)
      return `${path.replace(/^.*node_modules\//, '')} ${entry.version} is missing`;
    if (!existsSync(join(root, path, 'package.json'))) return `${path} is damaged`;
  }
  return undefined;
}

function fits({ os, cpu }) {
  const allows = (list, value) =>
    !list ||
    ([list].flat().every((entry) => entry !== `!${value}`) &&
      (![list].flat().some((entry) => !entry.startsWith('!')) || [list].flat().includes(value)));
  return allows(os, process.platform) && allows(cpu, process.arch);
}

async function install(reason) {
  say(`Installing packages (${reason})…`);
  const total = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).filter(
    ([path, entry]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && fits(entry),
  ).length;
  const timer = setInterval(() => say(`  ${Math.min(countInstalled(), total)} of about ${total} packages`), 5000);
  try {
    // Skip install scripts: no package needs one, and the build runs next.
    await run(npmCommand(), [
      'ci',
      '--ignore-scripts',
      '--no-fund',
      '--no-audit',
      '--loglevel=error',
      '--engine-strict=false',
    ]);
  } catch (error) {
    throw new Error(`The packages could not be installed: ${error.message}. Is registry.npmjs.org reachable?`);
  } finally {
    clearInterval(timer);
  }
  say('  Packages are installed.');
}

/** npm creates all folders first, so a package counts as installed once its manifest exists. */
function countInstalled() {
  const modules = join(root, 'node_modules');
  const names = (folder) => (existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []);
  return names(modules)
    .flatMap((name) => (name.startsWith('@') ? names(join(modules, name)).map((own) => `${name}/${own}`) : [name]))
    .filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

/** The npm that runs this script, if any, to avoid a second version. */
function npmCommand() {
  const path = process.env.npm_execpath;
  return path && /npm-cli\.[cm]?js$/.test(path)
    ? [process.execPath, path]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** Runs a command and shows its output; rejects if it fails. Forwards signals. */
export function run(command, args, options = {}) {
  const [program, ...first] = [command].flat();
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32' && program.endsWith('.cmd'),
      ...options,
    });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    const finish = () => process.off('SIGINT', forward).off('SIGTERM', forward);
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      finish();
      if (code === 0) resolve();
      else if (signal === 'SIGINT' || signal === 'SIGTERM' || code === 130) process.exit(130);
      else reject(new Error(`${[program, ...first, ...args].slice(0, 3).join(' ')} ended with ${signal ?? code}`));
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await setup({ browser: process.argv.includes('--browser') }).catch((error) => {
    say(error.message);
    process.exit(1);
  });
}
