/** Every kind of question, in the window and in the prompt window. */
import { questionKinds } from '../sample-questions.ts';
import type { Scene } from './scene.ts';

const promptSize = { width: 520, height: 600 };

export const questionScenes: Scene[] = [
  ...questionKinds.map((question): Scene => ({ name: `question-${question}`, route: 'servers', question })),
  ...(['approval', 'titled', 'newDestination', 'form', 'url'] as const).map(
    (question): Scene => ({ name: `prompt-${question}`, route: 'question', question, viewport: promptSize }),
  ),
  { name: 'prompt-empty', route: 'question', viewport: promptSize },
  {
    name: 'question-always',
    route: 'servers',
    question: 'approval',
    act: (page) => page.getByRole('button', { name: 'Always…' }).click(),
  },
  {
    name: 'question-new-destination-always',
    route: 'servers',
    question: 'newDestination',
    act: (page) => page.getByRole('button', { name: 'Always…' }).click(),
  },
  {
    name: 'question-problems',
    route: 'servers',
    question: 'form',
    act: (page) => page.getByRole('button', { name: 'Send answer' }).click(),
  },
  {
    name: 'question-queue',
    route: 'servers',
    question: 'approval',
    act: async (page, core) => {
      void core.ask('text');
      await page.getByText('1 of 2').waitFor();
    },
  },
  {
    name: 'question-later',
    route: 'tools',
    question: 'approval',
    act: async (page) => {
      await page.getByRole('button', { name: 'Decide later' }).click();
      await page.getByRole('button', { name: /question is waiting for you/ }).waitFor();
    },
  },
];
