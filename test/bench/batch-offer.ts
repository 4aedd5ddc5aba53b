/**
 * Real clients with a scripted model, which labels issues one by one. The question offers that the client sends such calls
 * together, the user accepts, and the model sends the others in one request. `TOOLKEEP_INTEROP=REGEX` limits the clients.
 */
import type { Answer, Question } from '../../shared/model/question.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import { newProduct } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import { openPageSocket, wireOf } from '../fixtures/page-socket.ts';
import { agents } from './interop-agents.ts';
import { binOf, install, type RealClient, run } from './interop-clients.ts';
import type { Part, Report, Row } from './report.ts';
import { startScriptedModel } from './scripted-model.ts';

const single = 6;
const together = 30;
const label = (issue_number: number) => ({
  server: 'github',
  tool: 'update_issue',
  arguments: { owner: 'ada', repo: 'engine', issue_number, labels: ['bug'] },
});
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

export const part: Part = {
  about: `real clients whose agent labels ${single} issues one by one, is enabled for many calls, and labels ${together} at once`,
  async run(report) {
    const wanted = new RegExp(process.env.TOOLKEEP_INTEROP ?? '');
    const rows: Row[] = [];
    for (const client of agents) if (client.session && wanted.test(client.spec)) rows.push(await tried(client, report));
    report.table('The offer to send calls together', rows);
  },
};

async function tried(client: RealClient, report: Report): Promise<Row> {
  const product = newProduct();
  const model = await startScriptedModel(
    [
      ...numbers(1, single).map((number) => ({ tool: 'execute_tool', arguments: label(number) })),
      {
        tool: 'execute_tools',
        arguments: { calls: numbers(single + 1, together).map(label) },
        meanwhile: { tool: 'list_tools', arguments: { server: 'github' } },
      },
    ],
    { thinkMs: 500 },
  );
  const row: Row = { client: client.spec, offered: 'no', questions: 0, rows: 0, 'calls at once': 0 };
  try {
    product.file('.toolkeep/config.json', {
      servers: [{ name: 'github', connection: { type: 'stdio', ...commands.listedTools('github') } }],
    });
    await install(client, product, model.url);
    const core = connectCore(wireOf(await openPageSocket(await product.pageUrl())));
    const answered = new Set<string>();
    const answer = async ({ approval, from, rows }: Question): Promise<Answer> => {
      row.questions = Number(row.questions) + 1;
      if (rows) {
        row.rows = rows.length;
        return { action: 'accept', rows: rows.map((_row, index) => index) };
      }
      if (approval?.offersBatch && from.client !== undefined) {
        row.offered = `at question ${row.questions}`;
        await core.call('clients.setBatch', { client: from.client, enabled: true });
      }
      return { action: 'accept', scope: 'once' };
    };
    core.on('questions.changed', async () => {
      for (const question of await core.call('questions.list')) {
        if (answered.has(question.id)) continue;
        answered.add(question.id);
        await core.call('questions.answer', { id: question.id, answer: await answer(question) });
      }
    });
    const { args = [], env } = client.session ?? {};
    const output = await run(product, await binOf(client), args, env?.(model.url));
    const last = model.results.at(-1) ?? '';
    row['calls at once'] = Array.from(last.matchAll(/\d+\. ok github\/update_issue/g)).length;
    for (const problem of model.problems) report.note(`${client.spec}: ${problem}`);
    if (row['calls at once'] !== together)
      report.note(
        `${client.spec}: ${[...model.results, output].map((text) => text.trim().slice(-300)).join('\n    ')}`,
      );
    core.close();
  } catch (error) {
    report.note(`${client.spec}: ${(error as Error).message.slice(0, 300)}`);
  } finally {
    await model.close();
    await product.dispose();
  }
  return row;
}
