/** Installs npm packages in fixed versions on demand, each into its own folder, without running their scripts. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.TOOLKEEP_BENCH_CACHE ?? join(tmpdir(), 'toolkeep-interop');

/** Resolves with the folder of the package. Rejects with the last line of npm's output. */
export async function installed(spec: string): Promise<string> {
  const at = spec.lastIndexOf('@');
  const name = spec.slice(0, at);
  const folder = join(cache, spec.replaceAll('/', '+'));
  const home = join(folder, 'node_modules', name);
  if (!existsSync(join(home, 'package.json'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const args = [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      spec,
    ];
    await new Promise<void>((resolve, reject) => {
      execFile('npm', args, { timeout: 300_000 }, (error, _, stderr) =>
        error ? reject(new Error(stderr.trim().split('\n').at(-1) || error.message)) : resolve(),
      );
    });
  }
  return home;
}

/** Resolves with the file of the package's command. */
export async function installedBin(spec: string): Promise<string> {
  const home = await installed(spec);
  const { name, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    name: string;
    bin?: string | Record<string, string>;
  };
  const short = name.slice(name.indexOf('/') + 1);
  const file = typeof bin === 'object' ? (bin[short] ?? Object.values(bin)[0]) : bin;
  if (file === undefined) throw new Error(`${name} has no command.`);
  return join(home, file);
}
