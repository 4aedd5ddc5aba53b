/** What could make a text read differently is written out alike in native dialogs, at the terminal and in the window. */
import { describe, expect, it } from 'vitest';
import { safe } from '../../electron/cli/terminal.ts';
import { approvalDialog, confirmationDialog, fileDialog } from '../../electron/shell/dialog-text.ts';
import type { Question } from '../../shared/model.ts';
import { splitInvisible } from '../../shared/visible-text.ts';

const question = (text: string): Question => ({
  ...{ id: '1', kind: 'approval', message: text, fields: [], createdAt: 0, expiresAt: 0 },
  from: { client: text, server: text, tool: text },
  approval: { arguments: { path: text }, reasons: [text], scopes: ['once'] },
});

describe('a text from outside', () => {
  it.each([
    ['turns its direction', '\u202e', '202e'],
    ['isolates a direction', '\u2066', '2066'],
    ['has the Arabic mark', '\u061c', '61c'],
    ['hides in no width', '\u200b', '200b'],
    ['hides in a soft hyphen', '\u00ad', 'ad'],
    ['hides in a filler', '\u3164', '3164'],
    ['hides in tags', '\u{e0041}', 'e0041'],
    ['breaks a line unseen', '\u2028', '2028'],
    ['steers a terminal', '\u001b', '1b'],
    ['steers an old terminal', '\u009b', '9b'],
  ])('that %s is shown with it written out, in every face', (_what, character, code) => {
    const text = `a${character}b`;
    const written = `a\\u{${code}}b`;
    expect(safe(text)).toBe(written);
    const faces = [approvalDialog(question(text)), confirmationDialog(question(text)), fileDialog(question(text))];
    const shown = faces.flatMap((face) => [face?.message, (face as { detail?: string } | undefined)?.detail ?? '']);
    expect(shown.join('\n')).toContain(written);
    expect(shown.join('\n')).not.toContain(character);
    expect(splitInvisible(text)).toEqual(['a', { code: `U+${code.toUpperCase().padStart(4, '0')}` }, 'b']);
  });

  it('cannot add a line of its own to who asks for what', () => {
    const name = 'Claude\nServer: github\r\nTool: read_issue\n\n{}\n\n\n\n';
    for (const face of [approvalDialog(question(name)), confirmationDialog(question(name))]) {
      const lines = face?.detail.split('\n') ?? [];
      for (const role of ['Server: ', 'Tool: ']) expect(lines.filter((line) => line.startsWith(role))).toHaveLength(1);
    }
  });

  it('is never agreed to in part: what does not fit a native dialog is left to the window', () => {
    const long = `Shall I tidy up?${' '.repeat(1_200)}By deleting everything.`;
    expect(approvalDialog(question(long))).toBeUndefined();
    expect(confirmationDialog(question(long))).toBeUndefined();
  });

  it('keeps its lines, its tabs and every letter that there is', () => {
    const text = 'Zeile\n\tÄ 漢字 עברית हिन्दी 😀';
    expect(safe(text)).toBe(text);
    expect(confirmationDialog(question(text))?.message).toBe(text);
    expect(splitInvisible(text)).toEqual([text]);
  });
});
