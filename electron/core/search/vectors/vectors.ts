/** Finds and opens the built-in embedding model. Nothing is ever downloaded. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../../shared/text-from.ts';
import type { Encoder } from './encoder.ts';
import { openWordModel, vocabularyFile } from './word-model.ts';

/** The result of looking for a model. */
export interface FoundModel {
  folder: string;
  encoder?: Encoder;
  /** Why the model cannot be used, with the folder. Keyword search still works. */
  problem?: string;
}

/** Opens the model in the folder. Never throws. */
export async function findModel(folder: string): Promise<FoundModel> {
  try {
    return { folder, encoder: await openWordModel(folder) };
  } catch (error) {
    return { folder, problem: `${folder}: ${messageOf(error)}` };
  }
}

/** Opens the model that is part of the product; undefined if the installation lacks it. Never throws. */
export async function findBuiltInModel(): Promise<FoundModel | undefined> {
  const folder = builtInModelFolder();
  return folder === undefined ? undefined : findModel(folder);
}

/** Finds `models/search` above this file: at the root of the sources, and beside `dist` in packages. */
function builtInModelFolder(): string | undefined {
  let folder = import.meta.dirname;
  for (let up = 0; up < 6; up += 1) {
    const model = join(folder, 'models', 'search');
    if (existsSync(join(model, vocabularyFile))) return model;
    folder = dirname(folder);
  }
  return undefined;
}
