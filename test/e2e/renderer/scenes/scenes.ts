/** Every state of the window that a user can see. */
import { dialogScenes } from './dialogs.ts';
import { firstRunScenes } from './first-run.ts';
import { questionScenes } from './questions.ts';
import type { Scene } from './scene.ts';
import { stateScenes } from './states.ts';
import { viewScenes } from './views.ts';

export const scenes: readonly Scene[] = [
  ...firstRunScenes,
  ...viewScenes,
  ...dialogScenes,
  ...questionScenes,
  ...stateScenes,
];
