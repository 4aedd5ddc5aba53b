/** The layering of the code. There is no way to switch it off for a file. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circles } from './architecture/circles.ts';
import { violations } from './architecture/rules.ts';

const root = join(import.meta.dirname, '..');

/** A room in a made-up tree, with the header that every file has. */
const broken = (file: string, source: string) => violations(new Map([[file, `/** For a test. */\n${source}\n`]]));

describe('the code', () => {
  it('keeps every direction, room and habit of the design', () => {
    const files = globSync(['shared/**/*.ts', 'electron/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root });
    const sources = new Map(
      files.map((file) => [
        relative(root, join(root, file)).split(sep).join('/'),
        readFileSync(join(root, file), 'utf8'),
      ]),
    );
    expect(sources.size).toBeGreaterThan(100);
    expect(violations(sources)).toEqual([]);
    expect(circles(sources)).toEqual([]);
  });
});

describe('the project', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  it('stands on the parts that were chosen for it, and uses each of them (F6)', () => {
    const files = globSync(['electron/**/*.ts', 'renderer/**/*.{ts,tsx}', 'build/*.mjs'], { cwd: root });
    const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const bundled = ['react', 'zustand', 'fuse.js', 'electron-store'];
    const protocol = ['@modelcontextprotocol/client', '@modelcontextprotocol/server'];
    for (const name of [...bundled, ...protocol]) {
      expect(manifest.dependencies, name).toHaveProperty([name]);
      expect(code).toMatch(new RegExp(`from '${name}['/]`));
    }
    for (const name of ['electron', 'electron-builder']) {
      expect(manifest.devDependencies, name).toHaveProperty([name]);
      expect(code).toMatch(new RegExp(`['"]${name}['"/]`));
    }
  });

  it('has at its top what it was to have (F7)', () => {
    const top = ['package.json', 'tsconfig.json', 'electron', 'renderer', 'shared', 'test', 'build'];
    for (const name of [...top, 'electron-builder.yml']) expect(existsSync(join(root, name)), name).toBe(true);
  });
});

describe('the rules', () => {
  it.each([
    ['shared/model.ts', `import { x } from '../electron/core/core.ts';`],
    ['electron/core/core.ts', `import type { X } from '../shell/shell.ts';`],
    ['electron/core/core.ts', `export { x } from '../serve/serve.ts';`],
    ['electron/core/core.ts', `type X = import('../cli/main.ts').X;`],
    ['electron/core/core.ts', `const x = await import('../host/host.ts');`],
    ['electron/serve/serve.ts', `import { x } from '../shell/shell.ts';`],
    ['renderer/app.tsx', `import type { X } from '../electron/core/host.ts';`],
    ['electron/bridge.ts', `import { x } from '../shared/model.ts';`],
  ])('see an import against the direction in %s: %s', (file, source) => {
    expect(broken(file, source)).toHaveLength(1);
  });

  it.each([
    ['electron/core/core.ts', `import { app } from 'electron';`, 'Electron'],
    ['electron/host/host.ts', `import type Store from 'electron-store';`, 'Electron'],
    ['shared/rpc.ts', `import { join } from 'node:path';`, 'no Node'],
    ['renderer/app.tsx', `import 'fs';`, 'no Node'],
    ['electron/shell/tray.ts', `import { ipcMain } from 'electron';`, 'IPC'],
    ['electron/core/core.ts', `import { x } from './search/fold.ts';`, 'entered through'],
    ['electron/serve/serve.ts', `import { x } from '../core/search/fold.ts';`, 'entered through'],
    ['electron/core/rules/rules.ts', `import { x } from '../catalog/catalog.ts';`, 'stand above'],
    ['electron/core/novelty/novelty.ts', `import { x } from '../rules/rules.ts';`, 'stand above'],
    ['electron/core/core.ts', '// @ts-nocheck', 'switches a check off'],
    ['electron/attic/old.ts', '', 'no known area'],
    ['shared/someThing.ts', '', 'kebab-case'],
  ])('see in %s what %s breaks', (file, source, word) => {
    expect(broken(file, source).join()).toContain(word);
  });

  it('see files that import each other in a circle, and leave those that do not', () => {
    const files = new Map([
      ['shared/a.ts', `import type { B } from './b.ts';`],
      ['shared/b.ts', `export { c } from './c.ts';`],
      ['shared/c.ts', `import { a } from './a.ts';`],
      ['shared/d.ts', `import { a } from './a.ts'; import { e } from './e.ts';`],
      ['shared/e.ts', `import { join } from 'node:path';`],
    ]);
    expect(circles(files).map((words) => words.split(' ')[0])).toEqual(['shared/a.ts', 'shared/b.ts', 'shared/c.ts']);
  });

  it('say nothing of what is right', () => {
    const right = `import { join } from 'node:path';\nimport { x } from '../../../shared/model.ts';\nimport { y } from '../rules/rules.ts';\nimport { z } from './own.ts';`;
    expect(broken('electron/core/config/config.ts', right)).toEqual([]);
  });
});
