/** The terminal that the command line reads from and writes to, and the functions that format text for it. */
import type { Readable, Writable } from 'node:stream';
import { nameWithEscapes, withEscapes } from '../../shared/visible-text.ts';

export type Paint = (text: string) => string;

export interface Style {
  good: Paint;
  bad: Paint;
  warn: Paint;
  dim: Paint;
  bold: Paint;
}

export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  /** Prints a block of text and a newline. */
  out(text: string): void;
  /** Prints diagnostics. */
  err(text: string): void;
  style: Style;
  errStyle: Style;
  /** True if the user can answer questions here. */
  canAsk: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

type Output = Writable & { isTTY?: boolean };

export function openTerminal(process: {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  cwd(): string;
}): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    style: styleFor(stdout, env),
    errStyle: styleFor(stderr, env),
    canAsk: Boolean(stdin.isTTY && stderr.isTTY),
    env,
    cwd: env.INIT_CWD || process.cwd(),
  };
}

/** Uses colors only on terminals, and never if NO_COLOR is set (no-color.org). */
function styleFor(stream: Output, env: NodeJS.ProcessEnv): Style {
  const hasColor = !env.NO_COLOR && env.TERM !== 'dumb' && (stream.isTTY || Boolean(env.FORCE_COLOR));
  const paint =
    (code: number): Paint =>
    (text) =>
      hasColor ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { good: paint(32), bad: paint(31), warn: paint(33), dim: paint(2), bold: paint(1) };
}

/**
 * Escapes control and invisible characters and line breaks, so that text from a server cannot control the terminal, mislead the
 * user, or add lines that look like Toolkeep's own.
 */
export function safe(text: string): string {
  return nameWithEscapes(text.replaceAll('\r', ''));
}

/** Like `safe`, but keeps line breaks. Indents further lines by `spaces`: more than the lines around it, or they look like these. */
export function safeLines(text: string, spaces: number): string {
  return withEscapes(text.replaceAll('\r', '')).replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** Prints that the command succeeded, in one line. `text` may contain untrusted text. */
export function printDone({ out, style }: Terminal, text: string): void {
  out(`${style.good('✓')} ${safe(text)}`);
}

/** Indents every non-empty line. */
export function indent(text: string, spaces: number): string {
  const before = ' '.repeat(spaces);
  return text
    .split('\n')
    .map((line) => (line ? before + line : line))
    .join('\n');
}

/** `1 server`, `3 servers`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
