/**
 * Every view and step of the first run, in every mode.
 *
 * @module-tag exhaustive
 */
import { checkScenes } from './scenes/check-scenes.ts';
import { firstRunScenes } from './scenes/first-run.ts';
import { viewScenes } from './scenes/views.ts';

checkScenes([...firstRunScenes, ...viewScenes]);
