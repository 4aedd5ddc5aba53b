/**
 * Builds the page with one more language: a copy of the sources and one file in `locales/`. Each message is between two
 * different spaces, which the locators of a test ignore.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export const pseudoLocale = 'en-XA';
export const [start, end] = ['\u2002', '\u2003'];

export interface PseudoPage {
  rendererDir: string;
  remove(): void;
}

/** `missing`: messages that the language does not have. */
export function buildPseudoPage(missing: readonly string[]): PseudoPage {
  const copy = mkdtempSync(join(tmpdir(), 'toolkeep-language-'));
  for (const name of ['renderer', 'shared']) cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'tsconfig.base.json'])
    symlinkSync(join(root, name), join(copy, name));
  const english = JSON.parse(readFileSync(join(root, 'shared/locales/en.json'), 'utf8')) as Record<string, string>;
  const messages = Object.keys(english).filter((message) => !missing.includes(message));
  const translated = Object.fromEntries(messages.map((message) => [message, `${start}${message}${end}`]));
  writeFileSync(join(copy, `shared/locales/${pseudoLocale}.json`), JSON.stringify(translated));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error', '--config', 'renderer/vite.config.ts'], {
    cwd: copy,
    stdio: 'inherit',
  });
  return { rendererDir: join(copy, 'dist/renderer'), remove: () => rmSync(copy, { recursive: true, force: true }) };
}
