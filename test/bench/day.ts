/** The number of questions in two days of ordinary work. */
import { spendTwoDays } from '../e2e/ordinary-day.ts';
import type { Part } from './report.ts';

export const part: Part = {
  about: 'questions to the user during 120 ordinary calls to six servers a day, with the offered answers',
  async run(report) {
    const [first, second] = await spendTwoDays();
    const [firstDangerous, secondDangerous] = await spendTwoDays({ ask: 'dangerous' });
    for (const [title, { calls, failed, questions }] of [
      ['First day', first],
      ['Second day', second],
      ['First day, approvals.ask: dangerous', firstDangerous],
      ['Second day, approvals.ask: dangerous', secondDangerous],
    ] as const) {
      report.table(
        title,
        questions.map(({ server, tool, covers, answer }, index) => ({
          question: String(index + 1),
          server,
          'first call': tool,
          covers: covers === 'acts' ? 'all tools except dangerous ones' : `this ${covers.replace(/s$/, '')}`,
          answer,
        })),
      );
      report.note(`${title}: ${calls} calls, ${failed.length} failed, ${questions.length} questions.`);
    }
    report.note('At most 12 on the first day, 8 if only dangerous tools ask, and 3 on the second.');
  },
};
