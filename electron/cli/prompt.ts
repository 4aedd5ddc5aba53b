/** Answers the questions of a running call at the terminal. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { toFailure } from '../../shared/failure.ts';
import { userName } from '../../shared/model/call.ts';
import type { Answer, DisabledReason, Field, Question } from '../../shared/model/question.ts';
import type { CoreClient } from '../../shared/protocol/contract.ts';
import { placeText } from '../../shared/secret-place.ts';
import { withShortBlanks } from '../../shared/visible-text.ts';
import { openInBrowser } from '../host/open-url.ts';
import { indent, type Style, safe, safeLines, type Terminal } from './terminal.ts';

export interface QuestionPrompt {
  /** Resolves when no question is open; true if the user enabled the tool or server. */
  wasEnabled(): Promise<boolean>;
  stop(): void;
}

/**
 * Shows every question about the given tools until stopped. Any answer other than "y", "yes" or the numbers of calls
 * denies. Withdraws a question that was answered elsewhere or timed out.
 */
export function answerQuestions(
  client: CoreClient,
  terminal: Terminal,
  targets: readonly { server: string; tool: string }[],
): QuestionPrompt {
  const isTarget = (server: string | undefined, tool: string | undefined) =>
    targets.some((target) => target.server === server && target.tool === (tool ?? target.tool));
  const seen = new Map<string, AbortController>();
  let turn = Promise.resolve();
  let isEnabled = false;
  const look = async () => {
    const open = await client.call('questions.list');
    for (const [id, gone] of seen) if (!open.some((question) => question.id === id)) gone.abort();
    for (const question of open) {
      const { from, rows } = question;
      const isOurs = rows
        ? from.client === userName && rows.every(({ server, tool }) => isTarget(server, tool))
        : isTarget(from.server, from.tool);
      if (!isOurs || seen.has(question.id)) continue;
      const gone = new AbortController();
      seen.set(question.id, gone);
      turn = turn
        .then(() => askAndAnswer(client, terminal, question, gone.signal))
        .then((answer) => {
          isEnabled ||= question.kind === 'enable-request' && answer?.action === 'accept';
        })
        .catch(() => undefined);
    }
  };
  const stop = client.on('questions.changed', () => void look().catch(() => undefined));
  void look().catch(() => undefined);
  return {
    async wasEnabled() {
      await look().catch(() => undefined);
      await turn;
      return isEnabled;
    },
    stop() {
      stop();
      for (const gone of seen.values()) gone.abort();
    },
  };
}

const disabledText: Record<DisabledReason, string> = {
  rule: 'One of your rules disables this tool.',
  override: 'You disabled this tool.',
  changed: 'The server changed this tool after you accepted it. Review the change in the window first.',
  suspicious: 'The definition of this tool may try to mislead agents. Review it in the window first.',
  new: 'The server added this tool after you accepted the server. Review it in the window first.',
  server: 'You disabled this server.',
};

async function askAndAnswer(
  client: CoreClient,
  terminal: Terminal,
  question: Question,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (signal.aborted) return undefined;
  let answer: Answer;
  let problems: Record<string, string> | undefined;
  do {
    answer = await askOne(terminal, question, problems, signal);
    if (signal.aborted) {
      terminal.err('');
      return undefined;
    }
    ({ problems } = await client.call('questions.answer', { id: question.id, answer }));
  } while (problems && Object.keys(problems).length > 0);
  return answer;
}

async function askOne(
  terminal: Terminal,
  question: Question,
  problems: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { err, errStyle: style } = terminal;
  const { client, server, tool } = question.from;
  const from = [client === userName ? 'You' : client, server && tool ? `${server}:${tool}` : server]
    .filter(Boolean)
    .join(' → ');
  err(`\n${style.warn('?')} ${style.bold(safe(from))}`);
  if (question.message && question.approval) err(`  ${safe(server ?? '')} describes the tool:`);
  if (question.message) err(indent(safeLines(question.message, 2), 2));
  if (question.enableRequest?.added) {
    err(style.warn('  ! This call added tools to its server:'));
    for (const name of Object.keys(question.enableRequest.change?.after ?? {})) err(`    ${safe(name)}`);
  } else if (question.enableRequest) err(style.warn(`  ! ${disabledText[question.enableRequest.reason]}`));
  for (const [name, problem] of Object.entries(problems ?? {})) err(style.bad(safe(`  ${name}: ${problem}`)));
  if (question.approval) {
    const { arguments: args, meta, reasons } = question.approval;
    const shown = (values: object) => indent(safeLines(withShortBlanks(JSON.stringify(values, null, 2)), 0), 2);
    err(shown(args));
    if (meta) err(`  Metadata for the server:\n${shown(meta)}`);
    for (const reason of reasons) err(style.warn(safe(`  ! ${reason}`)));
  }
  for (const [index, row] of (question.rows ?? []).entries()) {
    const args = safe(withShortBlanks(JSON.stringify(row.arguments)));
    err(`  ${index + 1}. ${style.bold(safe(`${row.server}:${row.tool}`))} ${args}`);
    for (const reason of row.reasons) err(style.warn(safe(`     ! ${reason}`)));
  }
  if (question.connection) err(`  It wants to ${wishOf(question.connection, style)}`);
  if (question.url) err(`  ${safe(question.url)}`);
  if (question.address) {
    err(`  It opens ${style.bold(safe(question.address.host))}`);
    for (const warning of question.address.warnings) err(style.warn(safe(`  ! ${warning}`)));
  }
  if (question.rows) {
    const line = await readLine(terminal, 'Run all of them? [y/N, or numbers such as 1,3-5] ', { signal });
    const rows = rowsOf(line ?? '', question.rows.length);
    return rows ? { action: 'accept', rows } : { action: 'decline' };
  }
  if (isYesOrNo(question)) {
    const yes = isYes(await readLine(terminal, `${promptOf(question)}[y/N] `, { signal }));
    if (yes && question.url) await open(terminal, question.url);
    if (question.kind === 'confirmation') return yes ? { action: 'accept', value: true } : { action: 'decline' };
    return yes ? { action: 'accept', scope: 'once' } : { action: 'decline' };
  }
  return askFields(terminal, question, signal);
}

function wishOf(connection: NonNullable<Question['connection']>, style: Style): string {
  if ('folder' in connection) return `read and change files in ${style.bold(safe(connection.folder))}`;
  const { host, port, secret, place } = connection;
  const address = style.bold(safe(`${host}:${port}`));
  if (secret === undefined) return `connect to ${address}`;
  return `send ${style.bold(safe(secret))} to ${address}${place === undefined ? '' : ` ${safe(placeText(place))}`}`;
}

/** The indexes that a line allows: all for "yes", or numbers and ranges from 1; undefined for any other line. */
function rowsOf(line: string, count: number): number[] | undefined {
  if (isYes(line)) return [...Array(count).keys()];
  const rows = new Set<number>();
  for (const part of line.split(',')) {
    const range = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(part);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? first);
    if (!range || first < 1 || last < first || last > count) return undefined;
    for (let row = first; row <= last; row += 1) rows.add(row - 1);
  }
  return [...rows];
}

/** The question at the prompt: the plug-in's own label for yes, if it has one. */
const promptOf = ({ kind, labels }: Question) =>
  labels?.confirm ? `${safe(labels.confirm)}? ` : (promptFor[kind] ?? '');

const promptFor: Partial<Record<Question['kind'], string>> = {
  approval: 'Run it? ',
  'enable-request': 'Enable it? ',
  connection: 'Allow it until Toolkeep ends? ',
  url: 'Open it in the browser? ',
};

/** If no browser can be opened here, the user can open the address elsewhere: it is printed above the prompt. */
async function open({ err, errStyle }: Terminal, url: string): Promise<void> {
  await openInBrowser(url).catch((error: unknown) => err(errStyle.warn(safe(`  ! ${toFailure(error).message}`))));
}

const isYesOrNo = ({ kind }: Question) =>
  kind === 'approval' ||
  kind === 'enable-request' ||
  kind === 'connection' ||
  kind === 'confirmation' ||
  kind === 'url';

async function askFields(terminal: Terminal, question: Question, signal: AbortSignal): Promise<Answer> {
  const values: Record<string, unknown> = {};
  for (const field of question.fields) {
    const text = await readLine(terminal, fieldPrompt(field), { signal, hidden: field.kind === 'secret' });
    if (text === undefined) return { action: 'cancel' };
    const value = fieldValue(field, text.trim());
    if (value !== undefined) values[field.name] = value;
  }
  const [only] = question.fields;
  const single = question.kind !== 'form' && only && question.fields.length === 1;
  return { action: 'accept', value: single ? values[only.name] : values };
}

/** The line that asks for a field. */
export function fieldPrompt(field: Field): string {
  const choices = field.options
    ?.map(({ value, label }) => (label === value ? value : `${value}: ${label}`))
    .join(' | ');
  const notes = [
    ...(choices ? [choices] : []),
    ...(field.kind === 'multiselect' || field.lines ? ['separated by commas'] : []),
    ...(field.kind === 'boolean' ? ['y/n'] : []),
    ...(field.placeholder ? [`such as ${field.placeholder}`] : []),
    ...(field.default === undefined ? [] : [`default ${shownDefault(field)}`]),
    ...(field.required ? [] : ['optional']),
  ];
  const about = field.description ? `  ${safeLines(field.description, 4)}\n` : '';
  return `${about}  ${safe(field.label)}${notes.length > 0 ? ` (${safe(notes.join('; '))})` : ''}: `;
}

function shownDefault({ default: value }: Field): string {
  if (typeof value === 'boolean') return value ? 'y' : 'n';
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}

/** An empty line selects the default or omits the field. Core validates the result. */
function fieldValue(field: Field, text: string): unknown {
  if (text === '') return field.default;
  if (field.kind === 'number' || field.kind === 'integer') return Number.isNaN(Number(text)) ? text : Number(text);
  if (field.kind === 'boolean') return isYes(text) || (/^no?$/i.test(text) ? false : text);
  if (field.kind === 'multiselect') return text.split(',').map((part) => part.trim());
  if (field.lines) return text.replaceAll(',', '\n');
  return text;
}

export function isYes(text: string | undefined): boolean {
  return /^(y|yes)$/i.test(text?.trim() ?? '');
}

/** Reads one line from the user; undefined at the end of the input or if withdrawn. Hidden input is not echoed. */
export function readLine(
  terminal: Terminal,
  prompt: string,
  { signal, hidden = false }: { signal?: AbortSignal; hidden?: boolean } = {},
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    process.stderr.write(prompt);
    const reader: Interface = createInterface({ input: terminal.stdin, output: silent, terminal: hidden });
    const finish = (line?: string) => {
      // Resolve first, because close() emits "close" synchronously, which would count as the end of the input.
      resolve(line);
      reader.close();
      if (hidden) process.stderr.write('\n');
    };
    reader.once('line', finish);
    reader.once('close', () => resolve(undefined));
    reader.once('SIGINT', () => {
      finish();
      process.kill(process.pid, 'SIGINT');
    });
    signal?.addEventListener('abort', () => finish(), { once: true });
  });
}
