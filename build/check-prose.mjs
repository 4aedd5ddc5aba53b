/**
 * The prose check: `node build/check-prose.mjs [FILE or FOLDER …]`. Reports words and constructions that the style guide
 * in CONTRIBUTING.md excludes, in comments, strings, JSX text and Markdown, as FILE:LINE. Without arguments it checks
 * the files that build/prose/covered.json names. `// prose-ok: REASON` on the same line or the line above accepts one line.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { root, say } from './paths.mjs';

const { words } = JSON.parse(readFileSync(join(root, 'build/prose/words.json'), 'utf8'));
const rules = words.map(({ pattern, instead, flags = 'gi', in: kinds }) => ({
  regex: new RegExp(pattern, flags),
  instead,
  kinds,
}));
const checked = new Set(['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.js', '.md', '.css', '.yml', '.yaml']);

/**
 * Every excluded word in one file.
 * @param {string} file path, for its extension only
 * @param {string} source
 * @returns {{ line: number, text: string, instead: string }[]}
 */
export function findProblems(file, source) {
  const lines = source.split('\n');
  const accepted = (line) => /prose-ok:/.test(lines[line - 1] ?? '') || /prose-ok:/.test(lines[line - 2] ?? '');
  const found = new Map();
  for (const { kind, text, line } of passages(file, source)) {
    for (const { regex, instead, kinds } of rules) {
      if (kinds && !kinds.includes(kind)) continue;
      for (const match of text.matchAll(regex)) {
        const at = line + text.slice(0, match.index).split('\n').length - 1;
        if (!accepted(at)) found.set(`${at}:${match[0]}:${instead}`, { line: at, text: match[0].trim(), instead });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** The passages of prose in a file, each with its first line. */
function passages(file, source) {
  const extension = extname(file);
  if (extension === '.md') return [{ kind: 'markdown', text: withoutCode(source), line: 1 }];
  if (extension === '.css') return commentsBy(/\/\*[\s\S]*?\*\//g, source);
  if (extension === '.yml' || extension === '.yaml') return commentsBy(/#.*$/gm, source);
  return scriptPassages(file, source);
}

/** Blanks out code blocks and code spans, keeping the line numbers. */
function withoutCode(markdown) {
  return markdown.replace(/^```[\s\S]*?^```|`[^`\n]*`|\]\([^)\s]*\)/gm, (code) => code.replace(/[^\n]/g, ' '));
}

function commentsBy(regex, source) {
  return [...source.matchAll(regex)].map((match) => ({
    kind: 'comment',
    text: match[0],
    line: lineAt(source, match.index),
  }));
}

function scriptPassages(file, source) {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) return [];
  const found = comments.map(({ value, start }) => ({ kind: 'comment', text: value, line: lineAt(source, start) }));
  const add = (text, start) => {
    // A single word is an identifier, a key or a value, not prose.
    if (/\s/.test(text.trim())) found.push({ kind: 'string', text, line: lineAt(source, start) });
  };
  const imports = new Set();
  const skip = (node) => imports.add(node.source?.start);
  new Visitor({
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    ExportNamedDeclaration: skip,
    Literal: (node) => {
      if (typeof node.value === 'string' && !imports.has(node.start)) add(node.value, node.start);
    },
    TemplateElement: (node) => add(node.value.cooked ?? node.value.raw, node.start),
    JSXText: (node) => add(node.value, node.start),
  }).visit(program);
  return found;
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length;
}

/** All files to check below a path, except generated and third-party files. */
function filesUnder(path, isExcluded) {
  if (isExcluded(path)) return [];
  if (statSync(join(root, path)).isFile()) return checked.has(extname(path)) ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) =>
    filesUnder(path === '.' ? name : `${path}/${name}`, isExcluded),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { covered, excluded } = JSON.parse(readFileSync(join(root, 'build/prose/covered.json'), 'utf8'));
  const isExcluded = (path) => excluded.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const named = process.argv
    .slice(2)
    .map((path) => relative(root, join(process.cwd(), path)).split(sep).join('/') || '.');
  let count = 0;
  for (const file of (named.length > 0 ? named : covered).flatMap((path) => filesUnder(path, isExcluded))) {
    for (const { line, text, instead } of findProblems(file, readFileSync(join(root, file), 'utf8'))) {
      say(`${file}:${line}: "${text}": ${instead}`);
      count += 1;
    }
  }
  if (count > 0)
    say(`${count} ${count === 1 ? 'passage needs' : 'passages need'} another word. See "Prose" in CONTRIBUTING.md.`);
  process.exitCode = count > 0 ? 1 : 0;
}
