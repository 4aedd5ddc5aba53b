/** What was taught about the right tool for a query, kept on disk, and fed to the index (row N7). */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Lesson, lessonSchema } from '../../../shared/model.ts';
import { createKeeper, readKept } from '../kept-file.ts';
import type { Aliases } from './aliases.ts';

const fileSchema = z.object({ version: z.literal(1), lessons: z.array(lessonSchema) });

export interface Lessons {
  /** Newest first. */
  list(): Lesson[];
  teach(lesson: Pick<Lesson, 'query' | 'server' | 'tool' | 'taughtBy'>): void;
  /** False when there is no such lesson. */
  forget(id: string): boolean;
  close(): Promise<void>;
}

const mostLessons = 1_000;
const longestQuery = 300;
const quietMs = 500;

/** Opens the lessons in `file` and teaches them to `index`. A damaged file is set aside. `mask` takes secrets out of queries. */
export async function openLessons(
  file: string,
  index: Pick<Aliases, 'learn' | 'forget'>,
  mask: (text: string) => string,
): Promise<Lessons> {
  const kept = await readKept(file, fileSchema);
  const lessons = new Map((kept?.lessons ?? []).map((lesson) => [lesson.id, lesson]));
  const keeper = createKeeper(file, quietMs, () => ({ version: 1, lessons: [...lessons.values()] }));

  const learn = ({ query, server, tool, taughtBy, times }: Lesson) =>
    index.learn({
      query,
      key: `${server}::${tool}`,
      // One call after a search may have been about something else; several hardly are.
      strength: taughtBy === 'person' ? 1 : 1 - 0.5 ** times,
    });
  function drop({ id, query, server, tool }: Lesson): void {
    lessons.delete(id);
    index.forget(query, `${server}::${tool}`);
    // Another way to put the same words may have been the one that the index kept.
    for (const other of lessons.values()) if (other.server === server && other.tool === tool) learn(other);
  }

  for (const lesson of lessons.values()) learn(lesson);
  return {
    list: () => [...lessons.values()].reverse(),
    teach({ query: asked, server, tool, taughtBy }) {
      const query = mask(asked.trim().replace(/\s+/g, ' ').slice(0, longestQuery));
      if (query === '') return;
      const id = idOf(query, server, tool);
      const known = lessons.get(id);
      lessons.delete(id);
      const lesson: Lesson = {
        ...{ id, query, server, tool, at: Date.now() },
        taughtBy: known?.taughtBy === 'person' ? 'person' : taughtBy,
        times: (known?.times ?? 0) + 1,
      };
      lessons.set(id, lesson);
      learn(lesson);
      const [oldest] = lessons.values();
      if (oldest && lessons.size > mostLessons) drop(oldest);
      keeper.touch();
    },
    forget(id) {
      const lesson = lessons.get(id);
      if (!lesson) return false;
      drop(lesson);
      keeper.touch();
      return true;
    },
    close: keeper.close,
  };
}

function idOf(query: string, server: string, tool: string): string {
  return createHash('sha256')
    .update(JSON.stringify([query.toLowerCase(), server, tool]))
    .digest('base64url')
    .slice(0, 16);
}
