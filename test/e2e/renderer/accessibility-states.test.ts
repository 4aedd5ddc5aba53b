/**
 * Dialogs, questions, and empty or failing pages: accessible in every mode, with a next step.
 *
 * @module-tag exhaustive
 */
import { describe, it } from 'vitest';
import { checkScenes } from './scenes/check-scenes.ts';
import { dialogScenes } from './scenes/dialogs.ts';
import { questionScenes } from './scenes/questions.ts';
import { stateScenes } from './scenes/states.ts';

const tests = checkScenes([...questionScenes, ...dialogScenes, ...stateScenes], questionScenes);

describe('An empty or failing page', () => {
  it.each([
    ['the first run', '', { empty: true }, 'Welcome to Toolkeep'],
    ['no rules', 'rules', { empty: true }, 'No rules yet'],
    ['no history', 'history', { empty: true }, 'No activity yet'],
    ['a failing Core', 'tools', { broken: true }, 'The catalog could not be read'],
  ])('shows the next step: %s', async (_name, route, options, text) => {
    const { page } = await tests().open(route, options);
    await page.getByText(text).first().waitFor();
  });
});
