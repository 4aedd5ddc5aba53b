/** Reports files that contain the product's former name, which belongs to other projects. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './paths.mjs';

const formerName = new RegExp(['gate', 'house'].join(''), 'gi');

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
for (const file of files) {
  const count = countIn(file) + countIn(readFileSync(join(root, file), 'latin1'));
  if (count === 0) continue;
  say(`${file} contains the product's former name. Write "Toolkeep".`);
  process.exitCode = 1;
}

function countIn(text) {
  return text.match(formerName)?.length ?? 0;
}
