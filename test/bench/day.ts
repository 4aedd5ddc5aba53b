/** The number of questions in a day of ordinary work. */
import { spendDay } from '../e2e/ordinary-day.ts';
import type { Part } from './report.ts';

export const part: Part = {
  about:
    'questions to the user during 120 ordinary calls to six servers, with the default settings and the offered answers',
  async run(report) {
    const { calls, failed, questions } = await spendDay();
    report.table(
      'Each question',
      questions.map(({ server, tool, covers, answer }, index) => ({
        question: String(index + 1),
        server,
        'first call': tool,
        covers: covers === 'acts' ? 'all tools except dangerous ones' : 'this tool',
        answer,
      })),
    );
    report.note(`${calls} calls, ${failed.length} failed, ${questions.length} questions (at most 12).`);
  },
};
