/** Command lines of servers, and names derived from commands and URLs. */
import { freeName } from './free-name.ts';

/** Splits a command line with quotes and backslashes as in a POSIX shell. If a quote is not closed, returns it. */
export function splitCommandLine(line: string): string[] | string {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (quote) {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(line[index + 1] ?? '')) word += line[++index] ?? '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && /[\s"'\\]/.test(line[index + 1] ?? '')) {
      word = (word ?? '') + (line[++index] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote) return quote;
  if (word !== undefined) words.push(word);
  return words;
}

/** The inverse of `splitCommandLine`. */
export function joinCommandLine(argv: readonly string[]): string {
  return argv.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ');
}

/** A name for a command line: the package or program without runner, scope and flags. */
export function commandName(argv: readonly string[]): string {
  const runners = /^(?:npx|bunx|uvx|pnpm|dlx|yarn|node|python3?|uv|run|docker|deno|exec|cmd|\/c)(?:\.cmd|\.exe)?$/;
  const word = argv.find((entry) => !entry.startsWith('-') && !runners.test(entry)) ?? argv[0] ?? 'server';
  const base =
    word
      .replace(/(?<=.)@[^/@]*$/, '')
      .split(/[/\\:]/)
      .filter(Boolean)
      .at(-1) ?? word;
  return (
    base
      .replace(/\.(?:[cm]?[jt]s|py|exe)$/, '')
      .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, '') || 'server'
  );
}

export function hostName(url: string): string {
  const parts = /^https?:\/\/([^/:?#]+)/i.exec(url)?.[1]?.split('.') ?? [];
  return parts.filter((part) => !/^(?:www|mcp|api)$/.test(part))[0] ?? 'remote';
}

export function uniqueName(wanted: string, taken: readonly string[]): string {
  return freeName(wanted.slice(0, 90), (name) => taken.includes(name));
}
