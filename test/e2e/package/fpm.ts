/**
 * The part of fpm that electron-builder uses for deb packages, with dpkg-deb: `node fpm.ts -s dir -t deb … FILE=/TARGET …`. fpm
 * itself is a Ruby program that electron-builder downloads.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;
/** Throws for an option that this program does not know. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { ...text, short: 's' },
    target: { ...text, short: 't' },
    depends: { ...many, short: 'd' },
    force: { type: 'boolean' },
    name: text,
    version: text,
    architecture: text,
    maintainer: text,
    vendor: text,
    url: text,
    license: text,
    category: text,
    description: text,
    package: text,
    'deb-priority': text,
    'deb-recommends': many,
    'deb-compression': text,
    'after-install': text,
    'after-remove': text,
    'before-remove': text,
  },
});
if (values.source !== 'dir' || values.target !== 'deb' || !values.package || !values.name)
  throw new Error('Only dir to deb.');

const tree = mkdtempSync(join(tmpdir(), 'toolkeep-fpm-'));
for (const mapping of positionals) {
  const [from = '', to = ''] = mapping.split('=');
  const target = join(tree, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
}
for (const file of execFileSync('find', [tree, '-type', 'd'], { encoding: 'utf8' }).trim().split('\n'))
  chmodSync(file, 0o755);
mkdirSync(join(tree, 'DEBIAN'), { mode: 0o755 });
for (const [option, script] of [
  ['after-install', 'postinst'],
  ['before-remove', 'prerm'],
  ['after-remove', 'postrm'],
] as const) {
  const file = values[option];
  if (file) writeFileSync(join(tree, 'DEBIAN', script), readFileSync(file), { mode: 0o755 });
}
const list = (names: string[] | undefined) => (names ?? []).join(', ');
const control = {
  Package: values.name,
  Version: values.version,
  Architecture: values.architecture,
  Maintainer: values.maintainer,
  'Installed-Size': String(Math.ceil(sizeOf(tree) / 1024)),
  Depends: list(values.depends),
  Recommends: list(values['deb-recommends']),
  Section: values.category ?? 'default',
  Priority: values['deb-priority'],
  Homepage: values.url,
  Description: values.description?.trim().replaceAll(/\n\s*/g, '\n '),
};
writeFileSync(
  join(tree, 'DEBIAN/control'),
  `${Object.entries(control)
    .flatMap(([key, value]) => (value ? [`${key}: ${value}`] : []))
    .join('\n')}\n`,
);
const compression = values['deb-compression'] ?? 'xz';
execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '-z1', '--build', tree, values.package]);
rmSync(tree, { recursive: true });

function sizeOf(folder: string): number {
  const files = execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
