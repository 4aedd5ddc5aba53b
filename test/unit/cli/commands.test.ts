/** The reference and the completions of all commands, from their definitions. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionScript, shells } from '../../../electron/cli/completion-script.ts';
import { createProgram } from '../../../electron/cli/program.ts';
import { openTerminal } from '../../../electron/cli/terminal.ts';
import { cliReference } from '../../fixtures/cli-reference.ts';

const program = createProgram({ terminal: openTerminal(process), setExit: () => undefined });

it('docs/cli.md is the reference of all commands', async () => {
  await expect(cliReference(program)).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/cli.md'));
});

describe('Completions', () => {
  it.each(shells)('for %s know every command with its options', (shell) => {
    const script = completionScript(program, shell);
    for (const command of program.commands) {
      expect(script).toContain(` ${command.name()}'`);
      for (const { long } of command.options) expect(script, command.name()).toContain(long);
    }
  });

  it.each([
    [['toolkeep', 'config', 's'], 'show sources'],
    [['toolkeep', 'config', 'reload', '--dis'], '--discover'],
    [['toolkeep', 'tools', 'github', '--saf'], '--safety'],
  ])('in bash complete %j with %s', { tags: ['posix'] }, (words, found) => {
    const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _toolkeep; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${completionScript(program, 'bash')}\n${line}`], {
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: `${found}\n`, stderr: '' });
  });
});
