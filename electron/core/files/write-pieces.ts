/** Writes large files in pieces, so that neither their text nor its conversion to bytes blocks Core. */
import { writeFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { createSlices } from '../async/slices.ts';

const chunkCharacters = 256 * 1024;

/**
 * Replaces the file atomically; only the user can read it. write-file-atomic takes only complete data, so the pieces are written
 * after it has created the temporary file.
 */
export async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const tmpfileCreated = (temporary: string) => writeFile(temporary, chunksOf(pieces));
  await writeFileAtomic(file, '', { mode: 0o600, tmpfileCreated });
}

async function* chunksOf(pieces: Iterable<string>): AsyncGenerator<string> {
  const rest = createSlices();
  let held: string[] = [];
  let characters = 0;
  for (const piece of pieces) {
    held.push(piece);
    characters += piece.length;
    await rest();
    if (characters < chunkCharacters) continue;
    yield held.join('');
    held = [];
    characters = 0;
  }
  yield held.join('');
}
