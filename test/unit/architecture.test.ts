/** The layering of the code. It cannot be disabled for a file. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrows } from './architecture/arrows.ts';
import { circles } from './architecture/circles.ts';
import { violations } from './architecture/rules.ts';

const root = join(import.meta.dirname, '../..');

/** Every source file by its path from the root. */
function allSources(): Map<string, string> {
  const files = globSync(['shared/**/*.ts', 'electron/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root });
  return new Map(
    files.map((file) => [
      relative(root, join(root, file)).split(sep).join('/'),
      readFileSync(join(root, file), 'utf8'),
    ]),
  );
}

/** The violations in one invented file. */
const broken = (file: string, source: string) => violations(new Map([[file, `/** For a test. */\n${source}\n`]]));

describe('The code', () => {
  it('imports only in the documented direction', () => {
    const sources = allSources();
    expect(sources.size).toBeGreaterThan(100);
    expect(violations(sources)).toEqual([]);
    expect(circles(sources)).toEqual([]);
  });
});

describe('The architecture rules', () => {
  it.each([
    ['shared/form.ts', `import { x } from '../electron/core/core.ts';`],
    ['electron/core/core.ts', `import type { X } from '../desktop/desktop.ts';`],
    ['electron/core/core.ts', `export { x } from '../http/http.ts';`],
    ['electron/core/core.ts', `type X = import('../../cli/main.ts').X;`],
    ['electron/core/core.ts', `const x = await import('../../host/host.ts');`],
    ['electron/http/http.ts', `import { x } from '../desktop/desktop.ts';`],
    ['renderer/app.tsx', `import type { X } from '../electron/core/host.ts';`],
    ['electron/bridge.ts', `import { x } from './host/host.ts';`],
  ])('report an import in %s against the direction: %s', (file, source) => {
    expect(broken(file, source)).toHaveLength(1);
  });

  it.each([
    ['electron/core/core.ts', `import { app } from 'electron';`, 'Electron'],
    ['electron/host/host.ts', `import type Store from 'electron-store';`, 'Electron'],
    ['shared/rpc.ts', `import { join } from 'node:path';`, 'no Node'],
    ['renderer/app.tsx', `import 'fs';`, 'no Node'],
    ['electron/desktop/tray.ts', `import { ipcMain } from 'electron';`, 'IPC'],
    ['electron/core/core.ts', `import { x } from './search/query/fold.ts';`, 'private to'],
    ['electron/http/http.ts', `import { x } from '../core/search/query/fold.ts';`, 'private to'],
    ['electron/core/rules/rules.ts', `import { x } from '../tools/known-tools.ts';`, 'not below'],
    ['electron/core/novelty/novelty.ts', `import { x } from '../rules/rules.ts';`, 'not below'],
    ['electron/core/core.ts', '// @ts-nocheck', 'disables a check'],
    ['electron/attic/old.ts', '', 'no known area'],
    ['electron/desktop/x.ts', `await dialog.showMessageBox({ message: '' });`, 'without a parent window'],
    ['shared/all.ts', `export * from './wire.ts'; export { x } from './x.ts';`, 're-exports'],
    ['shared/someThing.ts', '', 'kebab-case'],
  ])('report %s containing %s', (file, source, word) => {
    expect(broken(file, source).join()).toContain(word);
  });

  it('count a dependency between two modules once, and none on general libraries or from the composition', () => {
    const files = new Map([
      ['electron/core/calls/a.ts', `import { x } from '../policy/x.ts'; import type { Y } from '../types.ts';`],
      [
        'electron/core/calls/steps/b.ts',
        `import type { X } from '../../policy/x.ts'; import { z } from '../../async/z.ts';`,
      ],
      ['electron/core/core.ts', `import { a } from './calls/a.ts';`],
    ]);
    expect(arrows(files)).toEqual(['calls → policy']);
  });

  it('report import cycles and nothing else', () => {
    const files = new Map([
      ['shared/a.ts', `import type { B } from './b.ts';`],
      ['shared/b.ts', `export { c } from './c.ts';`],
      ['shared/c.ts', `import { a } from './a.ts';`],
      ['shared/d.ts', `import { a } from './a.ts'; import { e } from './e.ts';`],
      ['shared/e.ts', `import { join } from 'node:path';`],
    ]);
    expect(circles(files).map((words) => words.split(' ')[0])).toEqual(['shared/a.ts', 'shared/b.ts', 'shared/c.ts']);
  });

  it('accept imports in the documented direction', () => {
    const right = `import { join } from 'node:path';\nimport { x } from '../../../shared/model/tool.ts';\nimport { y } from '../rules/rules.ts';\nimport { z } from './own.ts';`;
    expect(broken('electron/core/config/config.ts', right)).toEqual([]);
  });
});
