/** Compares the documentation with the code. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFolder } from '../../electron/core/config/folder/folder.ts';
import { defaultConfig, documentSchema } from '../../electron/core/config/schema.ts';
import { compileRules } from '../../electron/core/rules/rules.ts';
import { placeholdersIn } from '../../electron/core/secrets/placeholders.ts';
import { failureCodes } from '../../shared/failure.ts';
import { limits } from '../../shared/limits.ts';
import { testHost } from '../fixtures/host.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('docs/failure-codes.md', () => {
  it('lists every failure code', async () => {
    const rows = Object.entries(failureCodes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, text]) => `| \`${code}\` | ${text.replaceAll('|', '\\|')} |`);
    const page = [
      '# Failure codes',
      '',
      'Every failure of Toolkeep has a stable code. It appears in the window, in the `error` of a meta-tool, in `--json`',
      'output, and in the history. A failure that a tool reports is its own result and has no code.',
      '',
      '| Code | Meaning and next step |',
      '| --- | --- |',
      ...rows,
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot(join(root, 'docs/failure-codes.md'));
  });
});

describe('docs/limits.md', () => {
  it('gives the value of every limit, and no other', () => {
    const written = (name: string, value: number) => {
      if (/bytes$/i.test(name)) return value >= 2 ** 20 ? `${value / 2 ** 20} MB` : `${value / 2 ** 10} KB`;
      if (/(?:^m|M)s$/.test(name)) return value >= 1_000 ? `${value / 1_000} s` : `${value} ms`;
      return value.toLocaleString('en');
    };
    const expected = Object.entries(limits).flatMap(([source, own]) =>
      Object.entries(own).map(([name, value]) => `${source}.${name}: ${written(name, value)}`),
    );
    const rows = [...read('docs/limits.md').matchAll(/^\| `([\w.]+)` \| ([^|]+) \| [^|]{10,} \|$/gm)];
    expect(rows.map(([, name, value]) => `${name}: ${value}`)).toEqual(expected);
  });
});

describe('docs/dependencies.md', () => {
  it('gives a reason for every dependency and lists no other', () => {
    const explained = [...read('docs/dependencies.md').matchAll(/^- ((?:`[^`]+`(?:, )?)+): .{15,}$/gm)].flatMap(
      ([, names]) => [...(names ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    const all = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind]),
    );
    expect(explained.toSorted()).toEqual(all.filter((name) => !name.startsWith('@types/')).toSorted());
  });
});

describe('docs/benchmarks/start.md', () => {
  it('names tests and smoke checks that exist', () => {
    const [, section = ''] = read('docs/benchmarks/start.md').split('## What is known about Electron');
    const rows = [...section.matchAll(/^\| ([a-z`].*) \| (.*) \| (.*) \|$/gm)];
    expect(rows.length).toBeGreaterThan(40);
    const files = rows.flatMap(([, , tests = '']) =>
      [...tests.matchAll(/`([\w-]+\/[\w/.-]+)`/g)].map(([, file]) => file),
    );
    const exists = (file = '') => ['', '.ts', '.test.ts'].some((end) => existsSync(join(root, 'test', file + end)));
    expect(files.filter((file) => !exists(file))).toEqual([]);
    const smoke = readdirSync(join(root, 'build/smoke')).map((file) => read(`build/smoke/${file}`));
    const checks = rows.flatMap(([, , , check = '']) =>
      [...check.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name),
    );
    const isCheck = (name: string) => {
      const inCode = name.replace(/in [\w-]+\.test\.ts/, 'in ${spec}.test.ts').replaceAll("'", "\\'");
      return smoke.some((text) => text.includes(inCode));
    };
    expect(checks.filter((name) => !isCheck(name))).toEqual([]);
  });
});

describe('The example configuration in docs/getting-started.md', () => {
  it('is valid, and its rules do what the comments say', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(read('docs/getting-started.md'))?.[1] ?? '';
    const { error, data } = documentSchema.safeParse(parse(yaml));
    expect(error).toBeUndefined();
    const { decide } = compileRules(data?.toolRules ?? []);
    expect(decide({ server: 'mail', name: 'delete_message' })).toMatchObject({ confirm: 'always' });
    expect(decide({ server: 'mail', name: 'delete_draft' })).not.toMatchObject({ confirm: 'always' });
    expect(decide({ server: 'github', name: 'create_issue' })).toMatchObject({ tags: ['write'] });
    expect(decide({ server: 'filesystem', name: 'write_file' })).toMatchObject({ enabled: false });
  });
});

describe('docs/configuration.md', () => {
  const page = read('docs/configuration.md');
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

  /** Reads the file as the product reads the file of a trusted folder. */
  async function load(name: string, text: string) {
    const host = testHost();
    try {
      const file = join(host.cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const content = await readFolder(host, host.cwd, () => true);
      return { file: content?.file, config: content?.read?.config, problems: [], warnings: [], ...content?.read };
    } finally {
      host.dispose();
    }
  }

  it.each([
    ['yaml', '.toolkeep/config.yaml'],
    ['jsonc', '.toolkeep/config.jsonc'],
    ['jsonc', 'toolkeep.config.json'],
    ['ts', '.toolkeep/config.ts'],
  ])('shows a %s example that is a valid %s', async (language, name) => {
    const { config, problems, warnings } = await load(name, block(language));
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(config?.servers.length).toBeGreaterThan(0);
  });

  it('shows every key, with its default where possible', async () => {
    const written = parse(block('yaml'));
    expect(Object.keys(written).sort()).toEqual(
      Object.keys(documentSchema.shape)
        .filter((key) => key !== '$schema')
        .sort(),
    );
    const { config } = await load('.toolkeep/config.yaml', block('yaml'));
    const host = testHost();
    const defaults = defaultConfig(host.env);
    host.dispose();
    const { sources, servers, toolRules, profiles, plugins, ...rest } = config ?? defaults;
    expect(defaults).toMatchObject(rest);
    expect([sources, servers, toolRules, profiles, plugins].every((list) => list.length > 0)).toBe(true);
  });

  it('explains every environment variable that the code reads, and no other', () => {
    const sources = readdirSync(join(root, 'electron'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read(join('electron', file)));
    const used = sources.flatMap((source) => source.match(/\benv\.(?:TOOLKEEP|MCP)_[A-Z_]+/g) ?? []);
    // Internal: one marks Toolkeep's entry in clients' files, the other prevents Toolkeep from starting itself as a server.
    const internal = ['TOOLKEEP_BRIDGE', 'TOOLKEEP_DEPTH'];
    const wanted = new Set(used.map((name) => name.slice('env.'.length)).filter((name) => !internal.includes(name)));
    const explained = [...page.matchAll(/^\| `((?:TOOLKEEP|MCP)_[A-Z_]+)/gm)].map(([, name]) => name ?? '');
    expect(explained.toSorted()).toEqual([...wanted].toSorted());
  });

  it('names every placeholder that is resolved', () => {
    const table = page.slice(page.indexOf('| Placeholder |'));
    for (const written of ['${VAR}', '${env:VAR}', '${VAR:-text}', '${secret:NAME}', '${input:ID}', '${file:PATH}']) {
      expect(table).toContain(`\`${written}\``);
      expect(placeholdersIn(written)).toHaveLength(1);
    }
  });
});

describe('The documentation pages', () => {
  const sources = ['build', 'electron', 'renderer', 'shared', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.split(sep).join('/')}`,
    ),
  );
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name.split(sep).join('/')}`),
  ];

  it.each(pages)('%s has no broken link', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)/g), ...read(page).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
      ([, link]) => link ?? '',
    );
    const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it.each(pages)('%s names no source file that does not exist', (page) => {
    const named = [...read(page).matchAll(/`((?:[\w-]+\/)*[\w-]+\.(?:test\.)?(?:tsx?|mjs|cjs))`/g)].map(
      ([, name]) => name,
    );
    const missing = named.filter((name) => !sources.some((file) => file === name || file.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });

  it.each([
    ['README.md', 5_000],
    ['SECURITY.md', 6_000],
    ['CHANGELOG.md', 4_000],
  ])('%s can be read in three minutes: it has at most %d bytes', (page, most) => {
    expect(Buffer.byteLength(read(page))).toBeLessThanOrEqual(most);
  });

  it('include the current version in the changelog', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });
});
