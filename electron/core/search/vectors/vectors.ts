/** Finds and opens the embedding model: one that the user provides, or the built-in one. Nothing is ever downloaded. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../../../shared/text-from.ts';
import type { Encoder } from './encoder.ts';
import { openModel2vec } from './model2vec.ts';
import { openWordModel, vocabularyFile } from './word-model.ts';

/** The result of looking for a model. */
export interface FoundModel {
  /** Base name of the folder. */
  name: string;
  folder: string;
  encoder?: Encoder;
  /** Why the model cannot be used, with the file name. Keyword search still works. */
  problem?: string;
}

/** Opens the model in the folder; undefined if the folder does not exist and the user did not name it. Never throws. */
export async function findModel(folder: string, named: boolean): Promise<FoundModel | undefined> {
  const found = { name: basename(folder), folder };
  if (!existsSync(folder)) return named ? { ...found, problem: `There is no folder ${folder}.` } : undefined;
  try {
    const open = existsSync(join(folder, vocabularyFile)) ? openWordModel : openModel2vec;
    return { ...found, encoder: await open(folder) };
  } catch (error) {
    return { ...found, problem: messageOf(error) };
  }
}

/** Opens the model that is part of the product; undefined if the installation lacks it. Never throws. */
export async function findBuiltInModel(): Promise<FoundModel | undefined> {
  const folder = builtInModelFolder();
  return folder === undefined ? undefined : findModel(folder, true);
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
