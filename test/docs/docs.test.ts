/** What the docs say is held equal to what the code has. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../electron/core/config/load.ts';
import { defaultConfig, documentSchema } from '../../electron/core/config/schema.ts';
import { compileRules } from '../../electron/core/rules/rules.ts';
import { placeholdersIn } from '../../electron/core/secrets/secrets.ts';
import { failureCodes } from '../../shared/failure.ts';
import { testHost } from '../fixtures/host.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('docs/failure-codes.md', () => {
  it('explains every failure code', async () => {
    const rows = Object.entries(failureCodes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, text]) => `| \`${code}\` | ${text.replaceAll('|', '\\|')} |`);
    const page = [
      '# Failure codes',
      '',
      'Every failure of Gatehouse has a code that stays the same over versions: in the window, in the `error` of a',
      'meta-tool, with `--json` on the command line, and in the history. A failure of a tool itself is the answer of its',
      'server and has none.',
      '',
      '| Code | What it means and what to do |',
      '| --- | --- |',
      ...rows,
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot(join(root, 'docs/failure-codes.md'));
  });
});

describe('docs/dependencies.md', () => {
  it('says of every dependency why it is there, and of nothing else', () => {
    const explained = [...read('docs/dependencies.md').matchAll(/^- ((?:`[^`]+`(?:, )?)+): .{15,}$/gm)].flatMap(
      ([, names]) => [...(names ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    const all = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind]),
    );
    expect(explained.toSorted()).toEqual(all.filter((name) => !name.startsWith('@types/')).toSorted());
  });
});

describe('the example configuration in the README', () => {
  it('is a valid one, and its rules do what is said beside them', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
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

  /** As the product reads it: found beside a project, read by its format, checked. */
  async function load(name: string, text: string) {
    const host = testHost();
    try {
      const file = join(host.cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return { file, ...(await loadConfig(host)) };
    } finally {
      host.dispose();
    }
  }

  it.each([
    ['yaml', '.gatehouse/config.yaml'],
    ['jsonc', '.gatehouse/config.jsonc'],
    ['jsonc', 'gatehouse.config.json'],
    ['ts', '.gatehouse/config.ts'],
  ])('shows %s that is a good %s', async (language, name) => {
    const { config, problems, warnings } = await load(name, block(language));
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(config?.servers.length).toBeGreaterThan(0);
  });

  it('shows every key, and where it can the default', async () => {
    const written = parse(block('yaml'));
    expect(Object.keys(written).sort()).toEqual(
      Object.keys(documentSchema.shape)
        .filter((key) => key !== '$schema')
        .sort(),
    );
    const { config } = await load('.gatehouse/config.yaml', block('yaml'));
    const host = testHost();
    const defaults = defaultConfig(host.env);
    host.dispose();
    const { sources, servers, toolRules, profiles, plugins, ...rest } = config ?? defaults;
    expect(defaults).toMatchObject(rest);
    expect([sources, servers, toolRules, profiles, plugins].every((list) => list.length > 0)).toBe(true);
  });

  it('explains every variable that the code looks at, and no other', () => {
    const sources = readdirSync(join(root, 'electron'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read(join('electron', file)));
    const used = sources.flatMap((source) => source.match(/\benv\.(?:GATEHOUSE|MCP)_[A-Z_]+/g) ?? []);
    // One marks our own entry in other apps' files, the other stops a Gatehouse inside a Gatehouse.
    const internal = ['GATEHOUSE_BRIDGE', 'GATEHOUSE_DEPTH'];
    const wanted = new Set(used.map((name) => name.slice('env.'.length)).filter((name) => !internal.includes(name)));
    const explained = [...page.matchAll(/^\| `((?:GATEHOUSE|MCP)_[A-Z_]+)/gm)].map(([, name]) => name ?? '');
    expect(explained.toSorted()).toEqual([...wanted].toSorted());
  });

  it('names every placeholder that is filled in', () => {
    const table = page.slice(page.indexOf('| Placeholder |'));
    for (const written of ['${VAR}', '${env:VAR}', '${VAR:-text}', '${secret:NAME}', '${input:ID}', '${file:PATH}']) {
      expect(table).toContain(`\`${written}\``);
      expect(placeholdersIn(written)).toHaveLength(1);
    }
  });
});

describe('the pages', () => {
  const pages = [
    'README.md',
    'CHANGELOG.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(pages)('%s links only to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)/g), ...read(page).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
      ([, link]) => link ?? '',
    );
    const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it('name the version that is being built', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });
});
