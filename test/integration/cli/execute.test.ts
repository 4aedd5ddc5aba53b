/** `execute`: output, exit codes, and the sources of its arguments. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { newShop } from './shop-server.ts';

const shop = newShop();
const issue = '{"repo":"owner/repo","title":"Bug report"}';
beforeAll(async () => {
  await shop.serve();
  // Otherwise, the first command may say that it waits for the server.
  await runCli(shop, 'tools');
});
afterAll(() => shop.dispose());

const execute = (tool: string, ...more: string[]) => runCli(shop, 'execute', 'github', tool, ...more);

describe('toolkeep execute', () => {
  it('prints the result of the tool', async () => {
    const { code, stdout, stderr } = await execute('create_issue', `--args=${issue}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "Executing: github:create_issue

      ✓ Success

      Result:
        Issue #123 created
        URL: https://github.com/owner/repo/issues/123
        Title: Bug report
        State: open
      "
    `);
  });

  it("prints only the server's complete result as JSON with --json", async () => {
    const { code, stdout, stderr } = await execute('create_issue', '--args', issue, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      result: {
        content: [{ type: 'text', text: expect.stringContaining('Issue #123 created') }],
        structuredContent: { issue_number: 123, title: 'Bug report', state: 'open' },
      },
    });
  });

  it('prints progress on stderr with --stream', async () => {
    const { stdout, stderr } = await execute('create_issue', '--args', issue, '--stream');
    expect(stderr).toContain('50% writing');
    expect(stdout).toContain('Issue #123 created');
    expect(stdout).not.toContain('writing');
  });

  it('reads arguments from a file and from standard input', async () => {
    shop.file('project/arguments.json', issue);
    expect((await execute('create_issue', '--args', '@arguments.json')).stdout).toContain('Title: Bug report');
    expect(await piped('{"repo":"a/b","title":"Piped"}', 'create_issue', '--args', '-')).toContain('Title: Piped');
  });

  it("exits with 3 and the tool's message if the tool fails", async () => {
    const { code, stdout, stderr } = await execute('update_issue', '--args', '{"repo":"owner/repo","number":1}');
    expect(code).toBe(3);
    expect(stdout).toBe('Executing: github:update_issue\n\n');
    expect(stderr).toMatchInlineSnapshot(`
      "✗ Error

      Code: TOOL_EXECUTION_ERROR
      Message: Failed to update issue: API rate limit exceeded
      Server: github
      Tool: update_issue
      "
    `);
  });

  it.each([
    ['1, for arguments that are no JSON', 1, 'create_issue', '{oops', 'INPUT_INVALID'],
    ['1, for arguments that do not fit the schema', 1, 'create_issue', '{"repo":7}', 'ARGUMENTS_INVALID'],
    ['2, for a tool that is not there', 2, 'create_isue', '{}', 'TOOL_NOT_FOUND'],
    ['4, for a tool that a rule disables', 4, 'delete_repo', '{"repo":"owner/repo"}', 'TOOL_DISABLED'],
  ])('exits with the code for %s', async (_name, code, tool, args, error) => {
    const answer = await execute(tool, '--args', args, '--json');
    expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code, stderr: '' });
    expect(JSON.parse(answer.stdout)).toMatchObject({ success: false, error: { code: error, tool } });
  });

  it('exits with 1 without --args and with 2 for an unknown server', async () => {
    expect((await execute('create_issue')).code).toBe(1);
    expect((await runCli(shop, 'execute', 'gihub', 'create_issue', '--args', issue)).code).toBe(2);
  });

  it('runs the calls of a file or of standard input in order, or none', async () => {
    const call = (tool: string, args: object) => ({ server: 'github', tool, arguments: args });
    const created = ['First', 'Second'].map((title) => call('create_issue', { repo: 'owner/repo', title }));
    const failing = call('update_issue', { repo: 'owner/repo', number: 1 });
    shop.file('project/calls.json', created);
    const { code, stdout } = await runCli(shop, 'execute', '--batch', 'calls.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/1\. ok github\/create_issue\n.*First.*2\. ok github\/create_issue\n.*Second/s);

    const lines = async (...options: string[]) => {
      const answer = await runCli(shop, 'execute', '--batch', 'calls.json', '--json', ...options);
      return { code: answer.code, text: answer.stdout };
    };
    shop.file('project/calls.json', [failing, ...created]);
    expect(await lines()).toMatchObject({
      code: 3,
      text: expect.stringMatching(/1\. error.*2\. not_run.*3\. not_run/s),
    });
    expect(await lines('--keep-going')).toMatchObject({ code: 3, text: expect.stringMatching(/1\. error.*3\. ok/s) });
    shop.file('project/calls.json', [...created, call('create_issue', { repo: 7 })]);
    expect(await lines()).toMatchObject({
      code: 1,
      text: expect.stringContaining('3. github/create_issue: ARGUMENTS_INVALID'),
    });
    for (const [content, problem] of [
      ['{oops', 'is not valid JSON'],
      [JSON.stringify([{ server: 'github' }]), 'calls.json is not a list of calls, at 0.tool'],
      ['[]', 'calls.json is not a list of calls'],
    ] as const) {
      shop.file('project/calls.json', content);
      expect(await lines()).toMatchObject({ code: 1, text: expect.stringContaining(problem) });
    }
    expect((await execute('create_issue', '--batch', 'calls.json')).code).toBe(1);
  });

  it('records every execution in the history', async () => {
    const records: { tool: string; outcome: string }[] = JSON.parse((await runCli(shop, 'history', '--json')).stdout);
    expect(records.map(({ tool, outcome }) => `${tool}: ${outcome}`)).toEqual(
      expect.arrayContaining(['create_issue: ok', 'update_issue: tool-error']),
    );
  });
});

function piped(input: string, ...args: string[]): Promise<string> {
  const launcher = join(import.meta.dirname, '../../../build/toolkeep.cjs');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [launcher, 'execute', 'github', ...args],
      { env: shop.env },
      (_error, stdout) => resolve(stdout),
    );
    child.stdin?.end(input);
  });
}
