/** Questions of a running call at the terminal: typed answers reach the tool, and no answer denies. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCore, settled } from '../../../electron/cli/core.ts';
import { answerQuestions } from '../../../electron/cli/prompt.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

afterEach(() => vi.restoreAllMocks());

const style = { good: String, bad: String, warn: String, dim: String, bold: String };

/** Runs a tool of the asking server; each prompt receives the next line of input. */
async function run(
  tool: string,
  lines: string[],
  rules: object[] = [{ server: 'asker', confirm: 'never', destinations: 'any' }],
  /** Answers the first question elsewhere while the terminal prompts for it. */
  elsewhere?: (ui: CoreClient) => Promise<boolean>,
) {
  const trial = await startCore([serverConfig('asker', commands.elicit('legacy'))], { config: { toolRules: rules } });
  await expect.poll(() => trial.view('asker').toolCount).toBeGreaterThan(0);
  const [ours, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  const stdin = new PassThrough();
  const typed = [...lines];
  const shown: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown.push(String(text));
    if (!/[:\]] $/.test(String(text))) return true;
    if (elsewhere && shown.filter((part) => /[:\]] $/.test(part)).length === 1) {
      void elsewhere(ui);
      return true;
    }
    const line = typed.shift();
    setTimeout(() => (line === undefined ? stdin.end() : stdin.write(`${line}\n`)), 20);
    return true;
  });
  const terminal = { stdin, err: (text: string) => shown.push(text), errStyle: style } as never;
  const ui = connectCore(ours);
  const prompt = answerQuestions(ui, terminal, [{ server: 'asker', tool }]);
  try {
    const { content } = (await trial.call('asker', tool)) as { content: { text: string }[] };
    return { answer: JSON.parse(content[0]?.text ?? ''), shown: shown.join('\n') };
  } catch (error) {
    const wasEnabled = await prompt.wasEnabled();
    throw Object.assign(error as Error, { wasEnabled, shown: shown.join('\n') });
  } finally {
    prompt.stop();
  }
}
const accepted = (content: object) => ({ action: 'accept', content });

describe('A command at a terminal', () => {
  it.each([
    ['without a prompt does not count as a UI', false, 'APPROVAL_UNAVAILABLE'],
    ['with a prompt keeps the call open', true, 'APPROVAL_TIMEOUT'],
  ])('%s', async (_what, answersQuestions, code) => {
    const host = testHost();
    onTestFinished(() => host.dispose());
    const config = {
      servers: { asker: commands.elicit('legacy') },
      toolRules: [{ confirm: 'always' }],
      approvals: { timeout: '1s' },
    };
    writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(config));
    const env = { ...host.env, TOOLKEEP_NO_SHELL_ENV: '1' };
    const terminal = { env, canAsk: true, err: () => undefined, errStyle: style } as never;
    const core = await openCore(terminal, { answersQuestions });
    onTestFinished(() => core.close());
    await settled(core, terminal, 'asker');
    const call = { server: 'asker', tool: 'confirm', arguments: {} };
    await expect(core.client.call('tools.execute', call)).rejects.toMatchObject({ failure: { code } });
  });
});

describe('A question about many calls at the terminal', () => {
  it.each([
    ['y', ['ok', 'ok', 'ok']],
    ['1, 3', ['ok', 'denied', 'ok']],
    ['2-3', ['denied', 'ok', 'ok']],
    ['0-1', 'APPROVAL_DENIED'],
    ['4', 'APPROVAL_DENIED'],
    ['', 'APPROVAL_DENIED'],
  ])('shows each call, and the input %j runs only those that it names', async (line, expected) => {
    const trial = await startCore([serverConfig('github', commands.github())], {
      config: { toolRules: [{ confirm: 'always' }] },
    });
    await expect.poll(() => trial.view('github').toolCount).toBeGreaterThan(0);
    const [ours, theirs] = linkedWires();
    trial.core.attach(theirs, { answersQuestions: true });
    const ui = connectCore(ours);
    const stdin = new PassThrough();
    const shown: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      shown.push(String(text));
      stdin.write(`${line}\n`);
      return true;
    });
    const terminal = { stdin, err: (text: string) => shown.push(text), errStyle: style } as never;
    const calls = ['First', 'Second', 'Third'].map((title) => ({
      ...{ server: 'github', tool: 'create_issue' },
      arguments: { repo: 'owner/repo', title },
    }));
    const prompt = answerQuestions(ui, terminal, calls);
    onTestFinished(prompt.stop);
    const running = ui.call('tools.executeMany', { calls, stopOnError: true }) as Promise<{
      content: { text: string }[];
    }>;
    const outcome = await running.then(
      ({ content }) => content.flatMap(({ text }) => /^\d+\. (\w+) github/.exec(text)?.[1] ?? []),
      ({ failure }) => failure.code,
    );
    expect(outcome).toEqual(expected);
    expect(shown.join('\n')).toContain('2. github:create_issue {"repo":"owner/repo","title":"Second"}');
    expect(shown.filter((text) => text.startsWith('Run all'))).toHaveLength(1);
  });
});

describe('A question at the terminal', () => {
  it.each([
    ['confirm', ['y'], { ok: accepted({ confirm: true }) }],
    ['confirm', ['n'], { ok: { action: 'decline' } }],
    ['confirm', [''], { ok: { action: 'decline' } }],
    ['confirm', [], { ok: { action: 'decline' } }],
    ['choose', ['b'], { one: accepted({ pick: 'b' }) }],
    ['choose', ['z', 'a'], { one: accepted({ pick: 'a' }) }],
    ['choose', [], { one: { action: 'cancel' } }],
    ['multiselect', ['p, r'], { many: accepted({ tags: ['p', 'r'] }) }],
    ['form', ['Ada', '36', '', '', '', 'y'], { all: accepted({ name: 'Ada', age: 36, agree: true }) }],
    [
      'form',
      ['Ada', '36', '', '', '', 'perhaps', 'Ada', '36', '', '', '', 'no'],
      { all: accepted({ name: 'Ada', age: 36, agree: false }) },
    ],
    ['secret', ['hunter2'], { key: accepted({ api_key: 'hunter2' }) }],
  ])('for %s with the input %j passes the value to the tool', async (tool, lines, expected) => {
    const { answer, shown } = await run(tool, lines);
    expect(answer).toEqual(expected);
    expect(shown).toContain('asker');
    expect(shown).not.toContain('hunter2');
  });

  it.each([
    ['y', true],
    ['n', false],
  ])('about enabling a disabled tool keeps the command open: %s', async (line, wasEnabled) => {
    await expect(run('confirm', [line], [{ server: 'asker', enabled: false }])).rejects.toMatchObject({
      ...{ failure: { code: 'TOOL_DISABLED' }, wasEnabled },
      shown: expect.stringContaining('Enable it? '),
    });
  });

  it('with several choices shows the label of each', async () => {
    const { answer, shown } = await run('select', ['a', 'x', 'r']);
    expect(answer).toEqual({ pick: accepted({ plain: 'a', named: 'x', titled: 'r' }) });
    for (const choices of ['(a | b;', '(x: Ex | y: Why;', '(r: Red | g: Green;']) expect(shown).toContain(choices);
  });

  it('is withdrawn when it is answered elsewhere, and later input goes to the next question', async () => {
    const { answer } = await run('twice', ['typed'], undefined, async (ui) => {
      const [question] = await ui.call('questions.list');
      const given = { action: 'accept' as const, value: 'elsewhere' };
      return (await ui.call('questions.answer', { id: question?.id ?? '', answer: given })).accepted;
    });
    expect(answer).toEqual({ first: accepted({ a: 'elsewhere' }), second: accepted({ b: 'typed' }) });
  });

  it.each([
    ['y', /"accept"/],
    ['n', /APPROVAL_DENIED/],
  ])('about an approval, answered with %s, decides the call', async (line, expected) => {
    const running = run('confirm', [line, 'y'], [{ server: 'asker', confirm: 'always' }]);
    const result = await running.then(
      ({ answer }) => JSON.stringify(answer),
      (error) => error.failure.code,
    );
    expect(result).toMatch(expected);
  });
});
