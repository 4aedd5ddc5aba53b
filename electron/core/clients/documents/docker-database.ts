/** Reads the profiles in the database of the Docker MCP Toolkit. */
import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fail } from '../../../../shared/failure.ts';
import { messageOf } from '../../../../shared/text-from.ts';

const maxBytes = 64 * 1024 * 1024;
const maxProfiles = 50;
/** For the list of servers of one profile. */
const maxCharacters = 256 * 1024;

/** The profiles as `{profiles: [{id, servers}]}`; undefined if the file is missing. Throws CLIENT_FILE_INVALID. */
export async function readDockerDatabase(file: string): Promise<Record<string, unknown> | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  // Opening a pipe would wait for a writer, and block all of Core.
  if (!found.isFile()) throw unreadable(file, 'it is not a regular file');
  if (found.size > maxBytes) throw unreadable(file, `it has ${found.size} bytes; Toolkeep reads up to ${maxBytes}`);
  try {
    return { profiles: profilesIn(file) };
  } catch (error) {
    throw unreadable(file, messageOf(error));
  }
}

function profilesIn(file: string): { id: unknown; servers: unknown }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // A view could take any time to compute.
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'working_set'").get();
    if (!table) return [];
    const rows = database
      .prepare('SELECT id, servers FROM working_set WHERE length(servers) <= ? ORDER BY id LIMIT ?')
      .all(maxCharacters, maxProfiles);
    return rows.map(({ id, servers }) => ({ id, servers: JSON.parse(String(servers)) as unknown }));
  } finally {
    database.close();
  }
}

const unreadable = (file: string, reason: string) =>
  fail('CLIENT_FILE_INVALID', `${file} cannot be read: ${reason}.`, {
    file,
    hint: 'Export the profile with `docker mcp profile export PROFILE FILE`, then import that file.',
  });
