/**
 * The catalog of the strings of the window and the app: `node build/strings.mjs [--write]`. Reports strings in renderer/ and
 * electron/desktop/ that the user sees but that are not translated, and differences between the code and shared/locales; `--write` updates en.json.
 * `// untranslated: REASON` above a statement, element, attribute or property accepts the strings in it. `// translated: WHERE`
 * above a table declares that its strings are messages, which are translated where they are used.
 */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { parseSync } from 'oxc-parser';
import { root, say } from './paths.mjs';

/** Attributes and properties whose strings the user sees or hears. */
const shownNames =
  /^(?:about|alt|aria-(?:description|label|placeholder|roledescription|valuetext)|confirm|description|done|effect|empty|fallback|heading|help|hint|label|lead|message|note|noun|placeholder|problem|sub|summary|text|title|unit|what)$/;
/** Attributes whose strings only the code sees. */
const codeNames =
  /^(?:className|code|data-.*|href|htmlFor|icon|id|key|look|onKeyDown|pattern|rel|role|src|style|target|tone|type|view)$/;
/** Functions whose arguments only the code sees. */
const codeCalls =
  /^(?:addEventListener|call|createElement|endsWith|fail|getItem|has|hrefOf|includes|indexOf|load|log|match|matches|matchMedia|navigate|on|querySelector(?:All)?|replace(?:All)?|setItem|split|startsWith|test|toLocaleString)$/;

const looksLikeWords = (text) =>
  /^[“(]?\p{Lu}[\p{Ll}’]/u.test(text) || /[\p{L}\d)”}\],.:;…] [\p{L}({“]/u.test(text) || /\p{L}…$/u.test(text);
/** Selectors, addresses, paths and names of variables. */
const looksLikeCode = /^(?:AppImage$|[.:#[][\w:]|https?:|[~/][^ ]*$|\w+=\S*$|[A-Z_]{4,}$)/;
const hasWord = (text) => /\p{L}{2}/u.test(text);

/**
 * The messages in one file, and the strings that should be messages.
 * @param {string} file path, for its extension only
 * @param {string} source
 * @returns {{ messages: string[], untranslated: { line: number, text: string }[] }}
 */
export function readStrings(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const lines = source.split('\n');
  const messages = [];
  const untranslated = [];
  walk(program, [], (node, ancestors) => {
    const message = messageOf(node);
    if (message) messages.push(textOf(message));
    if (isMessage(node, ancestors)) return;
    const text = textOf(node);
    if (text === undefined) return;
    const lineOf = ({ start }) => source.slice(0, start).split('\n').length;
    // Skip the program node, which may start on the same line as its first statement.
    const isBelow = (comment) =>
      [node, ...ancestors.slice(1)].some((each) => comment.test(lines[lineOf(each) - 2] ?? ''));
    const parent = ancestors.at(-1);
    if (literal(node) && parent.key !== node && !/^TS/.test(parent.type) && isBelow(/\/ translated: ./))
      messages.push(text);
    else if (isShown(node, text, ancestors) && !isBelow(/untranslated: ./))
      untranslated.push({ line: lineOf(node), text: text.trim().replace(/\s+/g, ' ') });
  });
  return { messages, untranslated };
}

function walk(node, ancestors, visit) {
  visit(node, ancestors);
  for (const child of Object.values(node)) {
    for (const each of Array.isArray(child) ? child : [child]) {
      if (typeof each?.type === 'string') walk(each, [...ancestors, node], visit);
    }
  }
}

/** The literal of a call of `t`, or of the attribute `text` of `<T>`. */
function messageOf(node) {
  if (node.type === 'CallExpression' && node.callee.name === 't') return literal(node.arguments[0]);
  if (node.type !== 'JSXOpeningElement' || node.name.name !== 'T') return undefined;
  const value = node.attributes.find(({ name }) => name?.name === 'text')?.value;
  return literal(value?.type === 'JSXExpressionContainer' ? value.expression : value);
}

function literal(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node : undefined;
}

const isMessage = (node, ancestors) => ancestors.some((each) => messageOf(each) === node);

function textOf(node) {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('{}');
  return undefined;
}

/** Whether a string contains words for the user. */
function isShown(node, text, ancestors) {
  if (!hasWord(text.replaceAll(/\{\}|Toolkeep/g, '')) || looksLikeCode.test(text)) return false;
  if (node.type === 'JSXText') return true;
  const parent = ancestors.at(-1);
  const name = nearestName(ancestors, node);
  if (isCode(node, parent, ancestors)) return false;
  if (name && codeNames.test(name)) return false;
  if (name && shownNames.test(name)) return true;
  return looksLikeWords(text);
}

function isCode(node, parent, ancestors) {
  if (/^(?:Import|Export(?:All|Named))/.test(parent.type) || /^TS(?!As|Satisfies|NonNull)/.test(parent.type))
    return true;
  if (parent.type === 'BinaryExpression' || (parent.type === 'SwitchCase' && parent.test === node)) return true;
  if ((parent.type === 'Property' || parent.type === 'MemberExpression') && (parent.key ?? parent.property) === node)
    return true;
  return ancestors.some((each) => {
    if (each.type === 'NewExpression')
      return /Error$|^Set$/.test(each.callee.name ?? '') || each.callee.property?.name !== undefined;
    if (each.type === 'TaggedTemplateExpression') return true;
    if (each.type !== 'CallExpression') return false;
    return each === parent && codeCalls.test(each.callee.name ?? each.callee.property?.name ?? '');
  });
}

/** The attribute or property that the expression is the value of. */
function nearestName(ancestors, node) {
  let child = node;
  for (const each of ancestors.toReversed()) {
    if (each.type === 'JSXAttribute')
      return each.name.name.name ? `${each.name.namespace.name}-${each.name.name.name}` : each.name.name;
    if (each.type === 'Property') return each.value === child ? (each.key.name ?? each.key.value) : undefined;
    if (
      !/^(?:ConditionalExpression|LogicalExpression|JSXExpressionContainer|TemplateLiteral|ArrayExpression|TS.*|Parenthesized.*)$/.test(
        each.type,
      )
    )
      return undefined;
    child = each;
  }
  return undefined;
}

/** All messages of the code, sorted, and the strings that should be messages. */
function readAll() {
  const files = globSync(['renderer/**/*.{ts,tsx}', 'electron/desktop/*.ts', 'shared/**/*.ts'], { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .sort();
  const messages = new Set();
  const untranslated = [];
  for (const file of files) {
    const found = readStrings(file, readFileSync(join(root, file), 'utf8'));
    for (const message of found.messages) messages.add(message);
    // Most strings in shared/ are for Core.
    if (file.startsWith('shared/')) continue;
    for (const { line, text } of found.untranslated) untranslated.push(`${file}:${line}: "${text}" is not translated`);
  }
  return { messages: [...messages].sort(), untranslated };
}

/**
 * The problems of a translation: obsolete messages, invalid syntax, and placeholders or tags that differ from the
 * English ones.
 */
function problemsOf(file, translations, known) {
  return Object.entries(translations).flatMap(([message, translation]) => {
    if (!known.has(message)) return [`${file}: "${message}" is no longer a message`];
    try {
      const [wanted, used] = [message, translation].map(placeholdersOf);
      return wanted === used
        ? []
        : [`${file}: "${translation}" must contain ${wanted || 'no placeholders'}, not ${used || 'none'}`];
    } catch (error) {
      return [`${file}: "${translation}" is not valid: ${error.message}`];
    }
  });
}

function placeholdersOf(message) {
  const names = new Set();
  // Types: 0 literal, 7 the number in a plural, 8 a tag, others a value.
  const collect = ({ type, value, options = {}, children = [] }) => {
    if (type !== 0 && type !== 7) names.add(type === 8 ? `<${value}>` : `{${value}}`);
    for (const part of [...children, ...Object.values(options).flatMap((option) => option.value)]) collect(part);
  };
  new IntlMessageFormat(message, 'en').getAst().forEach(collect);
  return [...names].sort().join(' ');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { messages, untranslated } = readAll();
  const folder = join(root, 'shared/locales');
  const wanted = `${JSON.stringify(Object.fromEntries(messages.map((each) => [each, each])), null, 2)}\n`;
  if (process.argv.includes('--write')) writeFileSync(join(folder, 'en.json'), wanted);
  const problems = [...untranslated];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const source = readFileSync(join(folder, file), 'utf8');
    problems.push(...problemsOf(`shared/locales/${file}`, JSON.parse(source), new Set(messages)));
    if (file === 'en.json' && source !== wanted)
      problems.push('shared/locales/en.json differs from the code. Run: node build/strings.mjs --write');
  }
  for (const each of problems) say(each);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
