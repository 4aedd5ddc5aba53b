/** Checks the files that the user chose before their paths are sent. */
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Field } from '../../../shared/model/question.ts';

/** Problems by field name; empty if every chosen file, folder or save location exists and meets the requirements. */
export async function fileProblems(
  fields: readonly Field[],
  given: (field: Field) => unknown,
): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for (const field of fields) {
    const value = given(field);
    if (field.kind !== 'file' || typeof value !== 'string' || value === '') continue;
    const problem = await fileProblem(field, value);
    if (problem) found.push([field.name, problem]);
  }
  return Object.fromEntries(found);
}

async function fileProblem({ file }: Field, value: string): Promise<string | undefined> {
  const path = pathOf(value);
  if (path === undefined || !isAbsolute(path) || path.includes('\0')) return 'Enter an absolute path.';
  const pick = file?.pick ?? 'file';
  const place = pick === 'save' ? dirname(path) : path;
  const about = await stat(place).catch(() => undefined);
  if (!about) return pick === 'file' ? 'This file does not exist.' : 'This folder does not exist.';
  if (pick !== 'file') return about.isDirectory() ? undefined : 'This is not a folder.';
  if (!about.isFile()) return 'This is not a file.';
  if (file?.maxBytes !== undefined && about.size > file.maxBytes)
    return `The file has ${about.size} bytes; the maximum is ${file.maxBytes}.`;
  return undefined;
}

/** UIs send paths or `file:` URLs. Returns undefined for other URLs. */
function pathOf(value: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(value)) return value;
  try {
    return fileURLToPath(value);
  } catch {
    return undefined;
  }
}

/** The chosen file in the requested form: a URL for `format: "uri"`, else a path. */
export function fileReference(field: Field, value: unknown): unknown {
  if (field.kind !== 'file' || typeof value !== 'string') return value;
  const path = pathOf(value);
  if (path === undefined) return value;
  return field.format === 'uri' ? pathToFileURL(path).href : path;
}
