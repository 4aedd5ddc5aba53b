/**
 * Records on disk which servers are starting or being listed. If Core dies meanwhile, the next one does not start these servers until the
 * user restarts them, so that one server cannot end Core at every start.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { fail } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';

export type StartMarks = ReturnType<typeof createStartMarks>;

const markSchema = z.object({ at: z.number(), servers: z.array(z.string()) });

/** Reads the marks of an earlier Core, so a Core needs only one of these. */
export function createStartMarks({ dataDir, log }: Pick<Host, 'dataDir' | 'log'>) {
  const file = join(dataDir, 'run', 'starting.json');
  const suspects = new Set(readMarks(file));
  /** The number of starts in progress by server, which may have several instances. */
  const starting = new Map<string, number>();
  let isClosed = false;
  for (const server of suspects)
    log(
      'warn',
      `Toolkeep ended unexpectedly while "${server}" started, so it starts only after a restart by the user.`,
    );

  function save(): void {
    const servers = [...new Set([...suspects, ...starting.keys()])];
    try {
      mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify({ at: Date.now(), servers }), { mode: 0o600 });
    } catch (error) {
      log('warn', `${file} could not be written: ${String(error)}`);
    }
  }

  /** Throws CANCELLED after `close`. */
  function check(server: string): void {
    if (isClosed) throw fail('CANCELLED', `Toolkeep is ending, so "${server}" does not start.`, { server });
  }

  return {
    check,
    /** Whether Core died while this server started. */
    isSuspect: (server: string) => suspects.has(server),
    /** Call before the server starts or is listed. Call the returned function afterwards. Throws CANCELLED after `close`. */
    begin(server: string): () => void {
      check(server);
      starting.set(server, (starting.get(server) ?? 0) + 1);
      save();
      return () => {
        if (isClosed) return;
        const left = (starting.get(server) ?? 0) - 1;
        if (left > 0) starting.set(server, left);
        else starting.delete(server);
        save();
      };
    },
    /** Call when the user restarts the server. */
    forgive(server: string): void {
      if (suspects.delete(server)) save();
    },
    /** Call first when Core ends. From then on no server starts, and the starts in progress leave no mark. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      if (starting.size === 0) return;
      starting.clear();
      save();
    },
  };
}

/** The servers that an earlier Core left marked. If the computer has started since, the end of Core may have been its own. */
function readMarks(file: string): string[] {
  try {
    const { at, servers } = markSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return at < Date.now() - uptime() * 1000 ? [] : servers;
  } catch {
    return [];
  }
}
