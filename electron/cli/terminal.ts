/** Where the command line reads from and writes to, and its few colours. Everything else here is text in, text out. */
import type { Readable, Writable } from 'node:stream';
import { withEscapes } from '../../shared/visible-text.ts';

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
  /** One block of text, newline added. */
  out(text: string): void;
  /** Diagnostics. */
  err(text: string): void;
  style: Style;
  errStyle: Style;
  /** A person can be asked here. */
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

/** Colours only where a person looks, and never against NO_COLOR (no-color.org). */
function styleFor(stream: Output, env: NodeJS.ProcessEnv): Style {
  const wanted = !env.NO_COLOR && env.TERM !== 'dumb' && (stream.isTTY || Boolean(env.FORCE_COLOR));
  const paint =
    (code: number): Paint =>
    (text) =>
      wanted ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { good: paint(32), bad: paint(31), warn: paint(33), dim: paint(2), bold: paint(1) };
}

/** Text of servers and tools must not steer the terminal, nor read otherwise than it is. */
export function safe(text: string): string {
  return withEscapes(text.replaceAll('\r', ''));
}

/** Puts `spaces` before every line. */
export function indent(text: string, spaces: number): string {
  const before = ' '.repeat(spaces);
  return text
    .split('\n')
    .map((line) => (line ? before + line : line))
    .join('\n');
}

/** First sentence, on one line. */
export function firstSentence(text: string): string {
  const line = safe(text).replace(/\s+/g, ' ').trim();
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0].replace(/\.$/, '') ?? line;
}

/** `1 server`, `3 servers`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
