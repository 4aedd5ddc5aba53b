/**
 * Folders that a call of a confined server names, and that the server does not see. Needs bubblewrap and socat.
 *
 * @module-tag bubblewrap
 * @module-tag socat
 */
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../../../shared/model/question.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from './server-harness.ts';

const script = join(import.meta.dirname, '../../fixtures/confined.mjs');
const notes: ServerConfig = {
  ...{ name: 'notes', enabled: true, sandbox: 'auto' },
  connection: { type: 'stdio', command: process.execPath, args: [script], env: {} },
};

async function setUp() {
  const host = testHost();
  const home = realpathSync(host.homeDir);
  const folder = (name: string) => {
    const path = join(home, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'file'), `content of ${name}`);
    return path;
  };
  const trial = await startCore([notes], { host });
  const [wire, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(wire);
  onTestFinished(async () => {
    ui.close();
  });
  async function read(path: string): Promise<string> {
    return textOf(await trial.call('notes', 'read', { of: path }));
  }
  async function answer(given: Answer) {
    await expect.poll(() => ui.call('questions.list')).toHaveLength(1);
    const [question] = await ui.call('questions.list');
    await ui.call('questions.answer', { id: question?.id ?? '', answer: given });
    return question?.connection;
  }
  const questions = () => ui.call('questions.list');
  return { ...trial, home, folder, read, answer, questions };
}

describe('A call of a confined server', () => {
  it('waits while the user is asked about the folder that it names, and then sees it', async () => {
    const { core, folder, read, answer, questions, view } = await setUp();
    const pictures = folder('Pictures');
    const first = read(join(pictures, 'file'));
    expect(await answer({ action: 'accept', scope: 'always' })).toEqual({ folder: pictures });
    expect(await first).toBe('content of Pictures');
    expect(view('notes').confinement?.may.write).toContain(pictures);
    await core.handlers['servers.restart']({ server: 'notes' });
    expect(await read(join(pictures, 'file'))).toBe('content of Pictures');
    expect(await questions()).toEqual([]);
  });

  it('runs without the folder if the user refuses it, and the server reports it until the user allows it', async () => {
    const { core, folder, read, answer, view, questions } = await setUp();
    const pictures = folder('Pictures');
    const first = read(join(pictures, 'file'));
    await answer({ action: 'decline' });
    expect(await first).toContain('ENOENT');
    expect(await read(join(pictures, 'file'))).toContain('ENOENT');
    expect(await questions()).toEqual([]);
    expect(view('notes').confinement?.refusedFolders).toEqual([pictures]);
    const destinations = [{ kind: 'files', value: pictures }];
    await core.handlers['grants.allowDestinations']({ server: 'notes', destinations });
    expect(await read(join(pictures, 'file'))).toBe('content of Pictures');
    expect(view('notes').confinement?.refusedFolders).toEqual([]);
  });

  it('never raises a question about wide, hidden or system folders, or about links that lead there', async () => {
    const { home, folder, read, questions } = await setUp();
    const pictures = folder('Pictures');
    const hidden = folder('.keys');
    symlinkSync(hidden, join(pictures, 'link'));
    writeFileSync(join(home, 'file'), 'in the home folder');
    const paths = ['file', '.keys/file', 'Pictures/link/file'].map((path) => join(home, path));
    for (const path of paths) expect(await read(path)).toBe('ENOENT');
    for (const path of ['/sys/kernel/notes', '/dev/null', '/etc/passwd']) await read(path);
    expect(await questions()).toEqual([]);
  });

  it('does not see an allowed folder that has become a link to another one', async () => {
    const { core, folder, read, answer } = await setUp();
    const pictures = folder('Pictures');
    const other = folder('Documents');
    const first = read(join(pictures, 'file'));
    await answer({ action: 'accept', scope: 'always' });
    await first;
    rmSync(pictures, { recursive: true });
    symlinkSync(other, pictures);
    await core.handlers['servers.restart']({ server: 'notes' });
    const second = read(join(pictures, 'file'));
    expect(await answer({ action: 'decline' })).toEqual({ folder: other });
    expect(await second).toContain('ENOENT');
  });
});
