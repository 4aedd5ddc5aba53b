/** Files that a page sends as the answer to a question, because a page does not know a file's path. Kept until the call ends. */
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { Field, Question } from '../../../shared/model/question.ts';
import type { Events } from '../events.ts';

export interface Upload {
  question: string;
  /** The name of the field. */
  field: string;
  /** The name of the file. */
  name: string;
  /** Its size in bytes. */
  size: number;
  /** Missing for the first part. */
  id?: string | undefined;
  part: Buffer;
}

export type Uploads = ReturnType<typeof createUploads>;

interface Stored {
  question: string;
  callId: string | undefined;
  file: string;
  size: number;
  received: number;
}

const maxBytes = 256 * 1024 * 1024;
/** The files of one question. */
const maxFiles = 20;

export function createUploads(options: {
  dataDir: string;
  events: Pick<Events, 'on'>;
  pending(): readonly Question[];
}) {
  const { events, pending } = options;
  const folder = join(options.dataDir, 'uploads');
  const stored = new Map<string, Stored>();
  // An earlier Core may have left files behind. If they cannot be deleted, the next start tries again.
  const cleaned = remove(folder);

  function remove(path: string): Promise<void> {
    return rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
  function forget(isOver: (one: Stored) => boolean): void {
    for (const [id, one] of stored) {
      if (!isOver(one)) continue;
      stored.delete(id);
      void remove(join(folder, id));
    }
    if (stored.size === 0) for (const stop of watching.splice(0)) stop();
  }

  /** Ends of the subscriptions, which last as long as there are files. */
  const watching: (() => void)[] = [];
  function watch(): void {
    if (watching.length > 0) return;
    watching.push(
      events.on('questions.lifecycle', ({ kind, id, action }) => {
        // A server that asks outside of a certain call may still need the file, so it stays until Core exits.
        if (kind !== 'requested' && action !== 'accept') forget(({ question }) => question === id);
      }),
      events.on('calls.recorded', ({ kind, callId }) => {
        if (kind === 'call' && callId !== undefined) forget((one) => one.callId === callId);
      }),
    );
  }

  /** Checks everything about the file before its first part is stored. */
  async function begin({ question: questionId, field: name, name: fileName, size }: Upload): Promise<string> {
    const question = pending().find(({ id }) => id === questionId);
    const field = question?.fields.find((one) => one.name === name && one.kind === 'file');
    if (!question || !field) throw fail('INPUT_INVALID', 'The question is no longer open, or does not ask for a file.');
    const others = [...stored.values()].filter((one) => one.question === questionId);
    if (others.length >= maxFiles) throw fail('INPUT_INVALID', `An answer can have at most ${maxFiles} files.`);
    requireFits(field, fileName, size);
    const kept = [...stored.values()].reduce((sum, one) => sum + one.size, size);
    if (kept > maxBytes)
      throw fail('INPUT_INVALID', `The files of open questions and calls have more than ${maxBytes} bytes.`);
    const id = randomUUID();
    const file = join(folder, id, plainName(fileName));
    watch();
    stored.set(id, { question: questionId, callId: question.from.callId, file, size, received: 0 });
    await cleaned;
    await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
    return id;
  }

  return {
    /** Appends a part to the file with this ID, or starts a new file. Rejects with INPUT_INVALID. */
    async add(upload: Upload): Promise<{ id: string; file: string }> {
      const id = upload.id ?? (await begin(upload));
      const one = stored.get(id);
      if (!one || one.question !== upload.question)
        throw fail('INPUT_INVALID', 'Toolkeep no longer has this file. Choose it again.');
      one.received += upload.part.length;
      if (one.received > one.size)
        throw fail('INPUT_INVALID', `The file has more than the ${one.size} bytes that were announced.`);
      await appendFile(one.file, upload.part, { mode: 0o600 });
      return { id, file: one.file };
    },
    /** Deletes every file. */
    close: (): Promise<void> => remove(folder),
  };
}

function requireFits({ file }: Field, name: string, size: number): void {
  const { pick = 'file', extensions, maxBytes: limit } = file ?? {};
  if (pick !== 'file') throw fail('INPUT_INVALID', 'This question asks for a folder or for a place to save.');
  if (limit !== undefined && size > limit)
    throw fail('INPUT_INVALID', `The file has ${size} bytes; the maximum is ${limit}.`);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extensions && extensions.length > 0 && !extensions.includes(extension))
    throw fail('INPUT_INVALID', `The file's type must be one of: ${extensions.join(', ')}.`);
}

/** The name without folders and without what a file system or a shell treats specially. */
function plainName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const plain = base.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[.\s-]+/, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) || plain === '' ? `file-${plain}` : plain.slice(-120);
}
