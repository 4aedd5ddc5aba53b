/** What the docs say is held equal to what the code has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentSchema } from '../../electron/core/config/schema.ts';
import { compileRules } from '../../electron/core/rules/rules.ts';
import { failureCodes } from '../../shared/failure.ts';

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
