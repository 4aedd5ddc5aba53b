/** SECURITY.md and the threat model promise only what a test shows: each sentence with "never" or "only" names its test here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** By the beginning of the sentence: the test, as its file and its title. */
const promises: Record<string, [file: string, title: string]> = {
  "**the user's decisions**: a dangerous call runs only": [
    'integration/elicitation/abuse',
    'never runs without its own approval, even among a thousand concurrent calls with two answers each',
  ],
  '**secrets**: a value in the vault reaches only': ['e2e/canary', 'Only the process that needs a secret receives it'],
  "Toolkeep makes only the changes to a client's config file": [
    'unit/clients/real-files',
    "survive installation, removal and undo with the same bytes; after other changes, only Toolkeep's entry is removed",
  ],
  'The window never collapses a value': [
    'e2e/renderer/questions',
    'shows every argument in full, with invisible characters visible, and never as markup',
  ],
  'The user can allow the call only once': [
    'e2e/renderer/questions',
    'cannot be given before the last argument was visible',
  ],
  '**Grants are bound** to the client': [
    'e2e/client-identity',
    'lasts at most one session for a client without an entry or token',
  ],
  '**A saved approval covers known destinations.**': [
    'integration/policy/destinations',
    'runs under no approval of any scope and cover',
  ],
  'Toolkeep never reads a resource': ['e2e/own-files', 'is refused if it reads a resource'],
  'A server that requests roots only during a call': [
    'integration/gateway/prompts-resources',
    "A prompt whose argument leads from a root to Toolkeep's own files gets no roots",
  ],
  '**Access is local only.** The HTTP server': [
    'integration/gateway/debug-status',
    'The debug status is refused without a token, with another Host or from another Origin',
  ],
  "A client's bearer token opens only the MCP endpoint": [
    'e2e/self-approval',
    'cannot run a dangerous tool, nor open a UI connection to approve the call',
  ],
  '**Updates** come only from the feed': ['e2e/desktop/updates', 'is refused if its checksum is wrong'],
  '**Trusted folders that change.**': ['integration/config/trusted-folders', 'does not start after a change of %s'],
};

/** Sentences with these words that promise nothing. */
const others = [
  'Only the latest release receives fixes.',
  'Toolkeep still sends arguments that it could not validate',
  'A server that describes a destructive tool as read-only',
  '**Paths that only a server understands.**',
  'Never give a tool that runs a shell',
  "Of Toolkeep's packages, only the one for Windows",
];

/** Blocks are split first, because a list item needs no period. */
const sentences = ['SECURITY.md', 'docs/threat-model.md']
  .map(read)
  .join('\n\n')
  .split(/\n(?=\s*- |\| |\n|#)/)
  .flatMap((block) =>
    block
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^- /, '')
      .split(/(?<=[.:!?])\s+(?=[A-Z*])/),
  )
  .filter((sentence) => /\b(?:never|only)\b/i.test(sentence));

it('Each promise of SECURITY.md and the threat model with "never" or "only" has a row, and each row a promise', () => {
  const starts = [...Object.keys(promises), ...others];
  expect(sentences.filter((sentence) => !starts.some((start) => sentence.startsWith(start)))).toEqual([]);
  expect(starts.filter((start) => sentences.filter((one) => one.startsWith(start)).length !== 1)).toEqual([]);
});

it.each(Object.entries(promises))('%s: its test exists', (_start, [file, title]) => {
  const source = read(`test/${file}.test.ts`).replaceAll("\\'", "'");
  expect(source).toContain(title);
});
