/** Checks a server's request for roots: the roots must not give it a way to Toolkeep's own files. */
import { foldersOf, isRoot } from '../servers/roots.ts';
import type { JsonObject } from '../types.ts';
import type { Arguments } from './argument-values.ts';
import type { Called, OwnFiles } from './own-files.ts';

/**
 * Returns the answer with the roots, or without roots if a relative path in `args` would name Toolkeep's own files below
 * one of them. The check before the request could not know that the server would ask for roots.
 */
export async function checkedRoots(
  ownFiles: OwnFiles,
  { args, tool }: { args: Arguments; tool: Called['tool'] },
  answer: JsonObject,
): Promise<JsonObject> {
  if (!Array.isArray(answer.roots)) return answer;
  const foldersOfCaller = async () => foldersOf((answer.roots as unknown[]).filter(isRoot));
  const reason = await ownFiles.reasonToAsk(args, { tool, foldersOfCaller });
  return reason === undefined ? answer : { ...answer, roots: [] };
}
