/**
 * `node build/verify-release.mjs FOLDER [--write]`: checks a release; `--write` writes SHA256SUMS first. Every file
 * must be listed in SHA256SUMS and unchanged. The update feeds must name all packages that update themselves and no
 * other files, with their correct sizes and checksums.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { say } from './paths.mjs';

const sums = 'SHA256SUMS';
const isSummed = (name) => !name.startsWith(sums);
/** The packages that update themselves. */
const isUpdatable = (name) => /\.(exe|zip|AppImage|deb|rpm)$/.test(name);
const hashOf = (file, algorithm, encoding) => createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** Writes SHA256SUMS in the format of sha256sum. */
export function writeSums(folder) {
  const names = readdirSync(folder).filter(isSummed).sort();
  const lines = names.map((name) => `${hashOf(join(folder, name), 'sha256', 'hex')}  ${name}\n`);
  writeFileSync(join(folder, sums), lines.join(''));
}

/** The problems of the release, one sentence each. */
export function problemsOf(folder) {
  const names = readdirSync(folder);
  if (!names.includes(sums)) return [`${sums} is missing.`];
  const lines = readFileSync(join(folder, sums), 'utf8').trim().split('\n');
  const expected = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const problems = names
    .filter((name) => isSummed(name) && !expected.has(name))
    .map((name) => `${name} has no checksum.`);
  for (const [name, hash] of expected) {
    if (!names.includes(name)) problems.push(`${name} is missing.`);
    else if (hashOf(join(folder, name), 'sha256', 'hex') !== hash) problems.push(`${name} was changed.`);
  }
  const feeds = names.filter((name) => /^latest.*\.yml$/.test(name)).map((name) => [name, readFeed(folder, name)]);
  if (feeds.length === 0) problems.push('There is no update feed.');
  const listed = new Set(feeds.flatMap(([, { files }]) => files.map(({ url }) => url)));
  for (const name of names) if (isUpdatable(name) && !listed.has(name)) problems.push(`No update feed names ${name}.`);
  return [...problems, ...feeds.flatMap(([name, feed]) => problemsOfFeed(folder, name, feed, names))];
}

function readFeed(folder, name) {
  const { files = [], path } = parse(readFileSync(join(folder, name), 'utf8')) ?? {};
  return { files, path };
}

function problemsOfFeed(folder, feed, { files, path }, names) {
  const problems = files.flatMap(({ url, sha512, size }) => {
    if (!names.includes(url)) return [`${feed} names ${url}, which is missing.`];
    const bytes = statSync(join(folder, url)).size;
    const isSame = hashOf(join(folder, url), 'sha512', 'base64') === sha512 && (size === undefined || size === bytes);
    return isSame ? [] : [`${feed} has a wrong checksum or size for ${url}.`];
  });
  if (!files.some(({ url }) => url === path)) problems.push(`${feed} installs ${path}, which it does not list.`);
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, flag] = process.argv.slice(2);
  if (flag === '--write') writeSums(folder);
  const problems = problemsOf(folder);
  for (const problem of problems) say(problem);
  say(problems.length === 0 ? 'The release is complete, and its checksums are correct.' : 'The release is not usable.');
  process.exit(problems.length === 0 ? 0 : 1);
}
