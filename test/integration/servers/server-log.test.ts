/** The log of a server: its output, messages, starts and stops; limited, and without secrets. */

import { expect, it } from 'vitest';
import { createServerLogs } from '../../../electron/core/servers/server-log.ts';
import type { LogEntry } from '../../../shared/model/server-log.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';

async function logOf({ core }: CoreTrial, server: string): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const { entries, more } = await core.handlers['servers.log']({ server, after: all.at(-1)?.id ?? 0 });
    all.push(...entries);
    if (!more) return all;
  }
}

it('The log has the start, the output and the messages of a server in order', async () => {
  const trial = await startCore([serverConfig('talker', commands.misbehaving('normal,banner'))]);
  await trial.call('talker', 'echo', { text: 'hello' });
  await trial.core.handlers['servers.stop']({ server: 'talker' });
  const log = await logOf(trial, 'talker');
  const at = (kind: string, text: RegExp) => log.findIndex((entry) => entry.kind === kind && text.test(entry.text));
  const places = [
    at('state', /^Starting/),
    at('sent', /^initialize$/),
    at('received', /^Response to initialize \(\d+ ms\)$/),
    at('state', /^Connected to process \d+/),
    at('sent', /^tools\/call echo$/),
    at('received', /^Response to tools\/call echo/),
    at('state', /^Stopped/),
  ];
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(at('stdout', /./)).toBeGreaterThanOrEqual(0);
  expect(JSON.parse(log[places[4] ?? 0]?.message ?? '')).toMatchObject({ params: { arguments: { text: 'hello' } } });
});

it("A failed start is an error in the log, after the server's output", async () => {
  const trial = await startCore([serverConfig('broken', commands.misbehaving('crash-at-start'))]);
  await trial.call('broken', 'echo').catch(() => undefined);
  const log = await logOf(trial, 'broken');
  const printed = log.findIndex(({ kind, text }) => kind === 'stderr' && text.startsWith('Fatal: broken on purpose'));
  const failed = log.findIndex(({ kind, isError }) => kind === 'state' && isError);
  expect(printed).toBeGreaterThanOrEqual(0);
  expect(failed).toBeGreaterThan(printed);
});

it("The log contains no secrets from the connection, the arguments or the user's answers", async () => {
  const key = 'Zq8-correct-horse-battery';
  const leaky = commands.misbehaving('normal,leaky');
  const trial = await startCore([
    serverConfig('leaky', { ...leaky, env: { API_KEY: key } }),
    serverConfig('asker', commands.elicit()),
  ]);
  await trial.call('leaky', 'echo', { text: `my key is ${key}`, password: 'open sesame, please' });
  trial.core.attach(linkedWires()[0], { answersQuestions: true });
  await answered(trial, 'secret', 'hunter2');
  await answered(trial, 'text', 'ada@example.com');
  const entries = [...(await logOf(trial, 'leaky')), ...(await logOf(trial, 'asker'))];
  const text = JSON.stringify(entries);
  expect(text).toContain('tools/call secret');
  expect(text).toContain("the user's answer");
  for (const secret of [key, 'sesame', 'hunter']) expect(text).not.toContain(secret);
  expect(JSON.stringify(entries.filter(({ kind }) => kind === 'sent'))).not.toContain('ada@');
});

/** Calls a tool that asks for one value. */
async function answered({ core, call }: CoreTrial, tool: string, value: string): Promise<void> {
  const result = call('asker', tool);
  const question = await eventually(async () => (await core.handlers['questions.list'](undefined))[0], 'a question');
  const field = question.fields[0]?.name ?? '';
  const whole = question.kind === 'form' ? { [field]: value } : value;
  const { id } = question;
  await core.handlers['questions.answer']({ id, answer: { action: 'accept', value: whole } });
  expect(JSON.stringify(await result)).toContain(value);
}

it('The log keeps the newest entries within its limits, and reports new ones once', async () => {
  const reported: string[] = [];
  const logs = createServerLogs({ redact: (text) => text, onNew: (server) => void reported.push(server) });
  const same = (part: string) => part;
  const add = (text: string) => logs.of('a').add({ kind: 'stderr', text }, same);
  for (let index = 1; index <= 5_000; index += 1) add(`line ${index}`);
  const first = logs.read('a', 0);
  expect(first.entries[0]?.text).toBe('line 3001');
  expect(first.more).toBe(true);
  expect(first.entries.length).toBeLessThanOrEqual(200);
  for (let index = 0; index < 100; index += 1) logs.of('a').message('sent', { text: 'x'.repeat(15_000) }, same);
  let kept = 0;
  for (let after = 0; ; ) {
    const { entries, more } = logs.read('a', after);
    kept += entries.length;
    after = entries.at(-1)?.id ?? after;
    if (!more) break;
  }
  expect(kept).toBeLessThan(40);
  add('one');
  add('two');
  await eventually(() => reported.length > 0, 'a report');
  expect(reported).toEqual(['a']);
});

it('A long answer has the title of its request and its error, wherever the server writes its ID', () => {
  const logs = createServerLogs({ redact: (text) => text, onNew: () => undefined });
  const log = logs.of('a');
  const same = (part: string) => part;
  log.message(
    'sent',
    { id: 7, method: 'tools/call', params: { arguments: { text: 'y'.repeat(40_000) }, name: 'read' } },
    same,
  );
  log.message(
    'received',
    { result: { content: [{ text: 'z'.repeat(40_000) }], isError: true }, jsonrpc: '2.0', id: 7 },
    same,
  );
  const [request, answer] = logs.read('a', 0).entries;
  expect(request).toMatchObject({ text: 'tools/call read', isShortened: true });
  expect(answer).toMatchObject({ isShortened: true, isError: true });
  expect(answer?.text).toMatch(/^Response to tools\/call read \(\d+ ms\)$/);
});

it('Each entry is redacted with the secrets of its own connection, however many connections there were', () => {
  const logs = createServerLogs({ redact: (text) => text, onNew: () => undefined });
  for (let number = 1; number <= 100; number += 1)
    logs
      .of('a')
      .add({ kind: 'stderr', text: `secret ${number}` }, (text) => text.replace(`secret ${number}`, 'removed'));
  const entries = [];
  for (let page = logs.read('a', 0); ; page = logs.read('a', page.entries.at(-1)?.id ?? 0)) {
    entries.push(...page.entries);
    if (!page.more) break;
  }
  expect(entries).toHaveLength(100);
  expect(new Set(entries.map(({ text }) => text))).toEqual(new Set(['removed']));
});
