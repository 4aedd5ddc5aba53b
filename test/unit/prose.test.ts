/** The prose check that `npm run check` runs. */
import { describe, expect, it } from 'vitest';
import { findProblems } from '../../build/check-prose.mjs';

const words = (file: string, source: string) => findProblems(file, source).map(({ line, text }) => `${line}: ${text}`);

describe('The prose check', () => {
  it('finds an excluded word in comments, strings, templates and JSX text', () => {
    const source = [
      '// The person decides.',
      "const a = 'the file is written anew';",
      'const b = `${x} is told to ${y}`;',
      'const c = <p>Somebody is here.</p>;',
    ].join('\n');
    expect(words('a.tsx', source)).toEqual(['1: person', '2: anew', '3: is told', '4: Somebody']);
  });

  it('ignores code, import paths and single words', () => {
    expect(words('a.ts', `import { mend } from './mend.ts';\nconst person = 'person';\nmend(person);`)).toEqual([]);
  });

  it('reports the line within a block comment and within Markdown', () => {
    expect(words('a.ts', '/**\n * First.\n * Written anew.\n */')).toEqual(['3: anew']);
    expect(words('a.md', 'One.\n\nBritish behaviour.')).toEqual(['3: behaviour']);
  });

  it('ignores code blocks, code spans and link targets in Markdown', () => {
    expect(words('a.md', '```\nanew\n```\n`anew` [the page](anew.md)')).toEqual([]);
  });

  it('accepts a line that is marked with a reason', () => {
    expect(words('a.ts', "// prose-ok: a field of the API\nconst a = 'first person';")).toEqual([]);
    expect(words('a.ts', "const a = 'first person'; // prose-ok: a field of the API")).toEqual([]);
  });
});
