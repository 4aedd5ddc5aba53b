/** Finds the strings of a page that are not in its language: those outside the marks of the pseudo-locale. */
import type { Page } from 'playwright-core';
import { end, start } from './pseudo-locale.ts';
import type { SampleCore } from './sample-core.ts';

/** Collects every string that Core sends, because these are not in the window's language. */
export function keepSent(core: SampleCore): Set<string> {
  const sent = new Set<string>();
  const keep = (value: unknown): void => {
    if (typeof value === 'string') for (const line of [value, ...value.split('\n')]) sent.add(line.trim());
    else if (typeof value === 'boolean') sent.add(String(value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        sent.add(key);
        keep(inner);
      }
  };
  const kept = (handle: (input: unknown) => unknown) => async (input: unknown) => {
    try {
      const output = await handle(input);
      keep(output);
      return output;
    } catch (error) {
      keep({ ...(error as object), message: (error as Error).message });
      throw error;
    }
  };
  // Scenes also replace handlers while the page is open.
  core.handlers = new Proxy(core.handlers, { get: (handlers, name) => kept(Reflect.get(handlers, name)) });
  const { subscribe } = core;
  core.subscribe = (listener) =>
    subscribe((name, data) => {
      keep(data);
      listener(name, data);
    });
  return sent;
}

/** The strings of the window that are not translated: visible text, and what assistive technology reads. */
export async function untranslated(page: Page, sent: ReadonlySet<string>): Promise<string[]> {
  const found = await page.evaluate<{ text: string; isQuoted: boolean }[]>(script);
  const all = [...sent].join('\n');
  const own = found.filter(({ text, isQuoted }) => !isData(text, sent) && !(isQuoted && all.includes(text)));
  return [...new Set(own.map(({ text }) => text))];
}

/** Abbreviations and the name of the product are the same in every language. */
const isWord = /\p{Ll}{2}/u;

/** Whether a text consists only of names and messages from Core. */
function isData(text: string, sent: ReadonlySet<string>): boolean {
  const parts = text
    .replaceAll('Toolkeep', '')
    .split(/ · |, | → | › | \/ |: |; |\t/)
    .map((part) => part.replace(/^[\s·“"(]+|[\s”").:,…]+$/g, ''));
  return sent.has(text) || parts.every((part) => sent.has(part) || !isWord.test(part));
}

/**
 * Runs in the page: walks it in order and keeps the text outside the marks, one string per text node and attribute. Code,
 * keys of the keyboard, times and the user's input are the same in every language. `isQuoted`: shown as text from others.
 */
const script = `(() => {
  const found = [];
  let depth = 0;
  const outside = (text) => {
    let kept = '';
    for (const character of text) {
      if (character === '${start}') depth += 1;
      else if (character === '${end}') depth -= 1;
      else if (depth === 0) kept += character;
    }
    return kept.trim();
  };
  const keep = (text, node) => text && found.push({ text, isQuoted: node.closest('bdi') !== null });
  const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
  const isCode = (name, text, { classList }) =>
    name === 'placeholder' && (classList.contains('mono') || /[/=:*@{~]/.test(text));
  (function walk(node) {
    if (node.nodeType === Node.TEXT_NODE) return keep(outside(node.data), node.parentElement);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (node.matches('[translate=no], pre, code, kbd, time, textarea, script, style')) return;
    const before = depth;
    for (const name of attributes) {
      depth = 0;
      const text = node.getAttribute(name) ?? '';
      if (!isCode(name, text, node)) keep(outside(text), node);
    }
    depth = before;
    node.childNodes.forEach(walk);
  })(document.body);
  return found;
})()`;
