/**
 * The part of fpm that electron-builder uses, with dpkg-deb or rpmbuild: `node fpm.ts -s dir -t deb … FILE=/TARGET …`. fpm itself is a
 * Ruby program that electron-builder downloads.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
    'rpm-os': text,
    'rpm-rpmbuild-define': many,
    'rpm-compression': text,
    'rpm-summary': text,
    'after-install': text,
    'after-remove': text,
    'before-remove': text,
  },
});
const { source, target: format, package: file = '', name } = values;
if (source !== 'dir' || (format !== 'deb' && format !== 'rpm') || !file || !name)
  throw new Error('Only dir to deb or rpm.');

const tree = mkdtempSync(join(tmpdir(), 'toolkeep-fpm-'));
for (const mapping of positionals) {
  const [from = '', to = ''] = mapping.split('=');
  const target = join(tree, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
}
for (const file of execFileSync('find', [tree, '-type', 'd'], { encoding: 'utf8' }).trim().split('\n'))
  chmodSync(file, 0o755);
if (format === 'deb') buildDeb();
else buildRpm();
rmSync(tree, { recursive: true });

function buildDeb(): void {
  mkdirSync(join(tree, 'DEBIAN'), { mode: 0o755 });
  for (const [option, script] of [
    ['after-install', 'postinst'],
    ['before-remove', 'prerm'],
    ['after-remove', 'postrm'],
  ] as const) {
    const path = values[option];
    if (path) writeFileSync(join(tree, 'DEBIAN', script), readFileSync(path), { mode: 0o755 });
  }
  const list = (names: string[] | undefined) => (names ?? []).join(', ');
  const control = {
    Package: name,
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
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '-z1', '--build', tree, file]);
}

function buildRpm(): void {
  const scripts = [
    ['after-install', 'post'],
    ['before-remove', 'preun'],
    ['after-remove', 'postun'],
  ] as const;
  const sections = scripts.flatMap(([option, section]) => {
    const path = values[option];
    return path ? [`%${section}`, readFileSync(path, 'utf8')] : [];
  });
  const paths = execFileSync('find', [tree, '!', '-type', 'd', '-printf', '"/%P"\\n'], { encoding: 'utf8' });
  const spec = [
    ...[`Name: ${name}`, `Version: ${values.version}`, 'Release: 1', `Summary: ${values['rpm-summary']}`],
    ...[`License: ${values.license}`, `URL: ${values.url}`, 'AutoReqProv: no'],
    ...(values.depends ?? []).map((one) => `Requires: ${one}`),
    ...['%description', name, '%install', `cp -a '${tree}'/. %{buildroot}/`, ...sections, '%files', paths],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-rpm-'));
  writeFileSync(join(folder, 'spec'), spec.join('\n'));
  const define = ['_topdir', '_rpmdir', '_build_name_fmt'].flatMap((macro, index) => [
    '--define',
    `${macro} ${index < 2 ? folder : 'built.rpm'}`,
  ]);
  // Stripping and checking would change the files of the app.
  const asIs = ['--define', '__os_install_post %{nil}', '--define', 'debug_package %{nil}'];
  const given = (values['rpm-rpmbuild-define'] ?? []).flatMap((one) => ['--define', one]);
  execFileSync('rpmbuild', ['--quiet', '-bb', ...define, ...asIs, ...given, join(folder, 'spec')]);
  renameSync(join(folder, 'built.rpm'), file);
  rmSync(folder, { recursive: true });
}

function sizeOf(folder: string): number {
  const files = execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
