/** Dialogs, questions, and empty or failing pages: accessible in every mode, with a next step. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armed, startWindowTests, type WindowTests } from './open-window.ts';
import { questionKinds, type SampleQuestion } from './sample-questions.ts';
import { checkScenes } from './scenes/check-scenes.ts';
import { dialogScenes } from './scenes/dialogs.ts';
import { questionScenes } from './scenes/questions.ts';
import { stateScenes } from './scenes/states.ts';

checkScenes(questionScenes);
checkScenes([...dialogScenes, ...stateScenes], { hasOwnColors: false });

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

/** The button that declines; “Decline” for all others. */
const declineLabels: Partial<Record<SampleQuestion, string>> = {
  approval: 'Deny',
  titled: 'Deny',
  newDestination: 'Deny',
  manyCalls: 'Deny',
  batch: 'Deny',
  approvalForServer: 'Deny',
  hostile: 'Deny',
  longPath: 'Deny',
  enableRequest: 'Keep held',
  connection: 'Refuse',
  confirmation: 'Decline to answer',
};

it('Every question can be declined', async () => {
  const { page, core } = await tests.open();
  for (const kind of questionKinds) {
    const answered = core.ask(kind);
    await armed(page);
    await page.getByRole('button', { name: declineLabels[kind] ?? 'Decline', exact: true }).click();
    expect(await answered, kind).toMatchObject({ action: 'decline' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}, 90_000);

describe('An empty or failing page', () => {
  it.each([
    ['the first run', '', { empty: true }, 'Welcome to Toolkeep'],
    ['no rules', 'rules', { empty: true }, 'No rules yet'],
    ['no history', 'history', { empty: true }, 'No activity yet'],
    ['a failing Core', 'tools', { broken: true }, 'The catalog could not be read'],
  ])('shows the next step: %s', async (_name, route, options, text) => {
    const { page } = await tests.open(route, options);
    await page.getByText(text).first().waitFor();
  });
});
