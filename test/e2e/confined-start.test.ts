/**
 * An entry can do nothing before its sandbox stands, on the built product: nothing that it names is executed, loaded or connected to the
 * user's terminal outside.
 *
 * @module-tag bubblewrap
 * @module-tag socat
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newProduct } from './product.ts';

const linux = process.platform === 'linux' ? describe : describe.skip;
const server = join(import.meta.dirname, '../fixtures/confined.mjs');

/** A product with one confined server, whose entry `entryOf` makes of its own folder. */
function productWith(entryOf: (folder: string) => { command: string; args: string[]; env?: Record<string, string> }) {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const folder = join(product.home, 'srv');
  const outside = join(product.home, 'outside');
  for (const one of [folder, outside]) mkdirSync(one);
  // Variables with such names make these folders visible to the server.
  const visible = { NODE_HOME: dirname(process.execPath), SERVER_HOME: dirname(server) };
  const { env, ...entry } = entryOf(folder);
  product.file('.toolkeep/config.json', {
    servers: { notes: { sandbox: 'auto', ...entry, env: { ...visible, ...env } } },
  });
  return { product, folder, outside };
}

function script(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

/** Runs the real program in the end, and before that leaves a file in each folder of the home folder that it can write. */
const leaves = (program: string, home: string) =>
  `for folder in ${home} ${home}/outside; do echo "$0 $*" >> $folder/left; done 2>/dev/null\nexec ${program} "$@"`;

const left = (home: string) => ['left', 'outside/left'].filter((name) => existsSync(join(home, name)));

linux('Before the sandbox of a server stands', () => {
  test.for([
    ['its command is named `node`', 'command'],
    ['its PATH has a `node`', 'path'],
    ['its command is a link to such a program', 'link'],
  ] as const)('no program of its runs, although %s', async ([, way]) => {
    const { product } = productWith((folder) => {
      const home = dirname(folder);
      const programs = ['node', 'sh', 'bwrap', 'socat', 'which'];
      for (const name of programs)
        script(join(folder, 'bin', name), leaves(name === 'node' ? process.execPath : `/usr/bin/${name}`, home));
      const env: Record<string, string> = way === 'path' ? { PATH: `${folder}/bin:${process.env.PATH}` } : {};
      const command = join(folder, way === 'path' ? 'bin/python3-or-node' : way === 'link' ? 'node' : 'bin/node');
      if (way === 'link') symlinkSync('bin/node', command);
      if (way === 'path') script(command, `exec ${process.execPath} "$@"`);
      return { command, args: [server], env };
    });
    expect((await product.cli('list')).stdout).toContain('Connected, confined');
    expect(left(product.home)).toEqual([]);
  });

  test('its variables load nothing', async () => {
    const { product, outside } = productWith((folder) => {
      const home = dirname(folder);
      writeFileSync(join(folder, 'left.cjs'), `try { require('fs').writeFileSync('${home}/left', '') } catch {}`);
      // The loader writes a file for each program that it starts.
      const loader = { LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: `${home}/outside/loaded` };
      const env = { ...loader, NODE_OPTIONS: `--require=${folder}/left.cjs`, ENV: `${folder}/left.cjs` };
      return { command: process.execPath, args: [server, folder], env };
    });
    expect((await product.cli('list')).stdout).toContain('Connected, confined');
    expect([left(product.home), readdirSync(outside)]).toEqual([[], []]);
  });

  test.for(['start', 'installation', 'question for the version'])('its %s has no terminal', async (step) => {
    const { product } = productWith((folder) => {
      const types = `{ echo TYPED > /dev/tty; } 2> /dev/null || true`;
      const run = `exec ${process.execPath} ${server}`;
      if (step === 'start') return { command: script(join(folder, 'start'), `${types}\n${run}`), args: [] };
      const node = script(
        join(folder, 'bin/node'),
        step === 'installation' ? `exec ${process.execPath} "$@"` : `${types}\nexec ${process.execPath} "$@"`,
      );
      const npx = script(
        join(folder, 'bin/npx'),
        step === 'installation' ? `case $* in *--package*) ${types};; *) ${run};; esac` : run,
      );
      return { command: npx, args: ['-y', 'some-package'], env: { PATH: `${dirname(node)}:${process.env.PATH}` } };
    });
    const { output } = await product.inTerminal('list');
    expect(output).toContain('Connected, confined');
    expect(output).not.toContain('TYPED');
  });

  test('its variables are in no command line', async () => {
    const value = `canary-${process.pid}-value`;
    const { product } = productWith(() => ({
      command: process.execPath,
      args: [server],
      env: { PIN_CODE: value, OTHER: value },
    }));
    const serve = await product.serve();
    expect((await product.cli('list')).stdout).toContain('Connected, confined');
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      });
    expect(lines.some((line) => line.includes('bwrap'))).toBe(true);
    expect(lines.filter((line) => line.includes(value))).toEqual([]);
    serve.kill();
  });
});
