/** Questions of a running call, answered at the terminal: what is typed reaches the tool, and nothing typed is a no (B9, A6). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerQuestions } from '../../electron/cli/ask.ts';
import { openCore, settled } from '../../electron/cli/core.ts';
import type { CoreClient } from '../../shared/contract.ts';
import { connectCore } from '../../shared/rpc.ts';
import { linkedWires } from '../../shared/wire.ts';
import { commands, serverConfig } from '../fixtures/commands.ts';
import { startCore } from '../fixtures/core.ts';
import { testHost } from '../fixtures/host.ts';

afterEach(() => vi.restoreAllMocks());

const style = { good: String, bad: String, warn: String, dim: String, bold: String };

/** Runs a tool of the asking server; each prompt gets the next line, as a person types it. */
async function run(
  tool: string,
  lines: string[],
  rules: object[] = [{ server: 'asker', confirm: 'never' }],
  /** Answers the first question in the place of the person at the terminal, who is being asked for it. */
  elsewhere?: (face: CoreClient) => Promise<boolean>,
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
      void elsewhere(face);
      return true;
    }
    const line = typed.shift();
    setTimeout(() => (line === undefined ? stdin.end() : stdin.write(`${line}\n`)), 20);
    return true;
  });
  const terminal = { stdin, err: (text: string) => shown.push(text), errStyle: style } as never;
  const face = connectCore(ours);
  const asking = answerQuestions(face, terminal, { server: 'asker', tool });
  try {
    const { content } = (await trial.call('asker', tool)) as { content: { text: string }[] };
    return { answer: JSON.parse(content[0]?.text ?? ''), shown: shown.join('\n') };
  } catch (error) {
    const switchedOn = await asking.switchedOn();
    throw Object.assign(error as Error, { switchedOn, shown: shown.join('\n') });
  } finally {
    asking.stop();
  }
}
const accepted = (content: object) => ({ action: 'accept', content });

describe('a command at a terminal', () => {
  it.each([
    ['that asks nobody does not pass for somebody to ask', false, 'APPROVAL_UNAVAILABLE'],
    ['that asks is waited for', true, 'APPROVAL_DENIED'],
  ])('%s', async (_what, answersQuestions, code) => {
    const host = testHost();
    onTestFinished(() => host.dispose());
    const config = {
      servers: { asker: commands.elicit('legacy') },
      toolRules: [{ confirm: 'always' }],
      approvals: { timeout: '1s' },
    };
    writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(config));
    const env = { ...host.env, GATEHOUSE_NO_SHELL_ENV: '1' };
    const terminal = { env, canAsk: true, err: () => undefined, errStyle: style } as never;
    const core = await openCore(terminal, { answersQuestions });
    onTestFinished(() => core.close());
    await settled(core, terminal, 'asker');
    const call = { server: 'asker', tool: 'confirm', arguments: {} };
    await expect(core.client.call('tools.execute', call)).rejects.toMatchObject({ failure: { code } });
  });
});

describe('a question at the terminal', () => {
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
  ])('of %s, answered with %j, reaches the tool as it was typed', async (tool, lines, told) => {
    const { answer, shown } = await run(tool, lines);
    expect(answer).toEqual(told);
    expect(shown).toContain('asker');
    expect(shown).not.toContain('hunter2');
  });

  it.each([
    ['y', true],
    ['n', false],
  ])('whether a tool that is off be switched on is waited for: %s (N6)', async (line, switchedOn) => {
    await expect(run('confirm', [line], [{ server: 'asker', enabled: false }])).rejects.toMatchObject({
      ...{ failure: { code: 'TOOL_DISABLED' }, switchedOn },
      shown: expect.stringContaining('Switch it on? '),
    });
  });

  it('of several choices shows what each is called', async () => {
    const { answer, shown } = await run('select', ['a', 'x', 'r']);
    expect(answer).toEqual({ pick: accepted({ plain: 'a', named: 'x', titled: 'r' }) });
    for (const choices of ['(a | b;', '(x: Ex | y: Why;', '(r: Red | g: Green;']) expect(shown).toContain(choices);
  });

  it('is taken back when it is answered elsewhere, and what is typed then belongs to the next', async () => {
    const { answer } = await run('twice', ['typed'], undefined, async (face) => {
      const [question] = await face.call('questions.list');
      const given = { action: 'accept' as const, value: 'elsewhere' };
      return (await face.call('questions.answer', { id: question?.id ?? '', answer: given })).accepted;
    });
    expect(answer).toEqual({ first: accepted({ a: 'elsewhere' }), second: accepted({ b: 'typed' }) });
  });

  it.each([
    ['y', /"accept"/],
    ['n', /APPROVAL_DENIED/],
  ])('whether a tool may run, answered with %s, decides that', async (line, told) => {
    const running = run('confirm', [line, 'y'], [{ server: 'asker', confirm: 'always' }]);
    const result = await running.then(
      ({ answer }) => JSON.stringify(answer),
      (error) => error.failure.code,
    );
    expect(result).toMatch(told);
  });
});
