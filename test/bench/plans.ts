/** The questions and tokens of 20 tasks that repeat one change many times, with and without `execute_tools`. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Answer, Question } from '../../shared/model/question.ts';
import { answerTo, attachUser, type Call, servers } from '../e2e/ordinary-day.ts';
import { newProduct } from '../e2e/product.ts';
import type { Part } from './report.ts';

type Task = [name: string, calls: Call[]];
interface Cost {
  questions: number;
  /** All requests and results count. */
  tokens: number;
  failed: number;
}

export const part: Part = {
  about: '20 tasks of 8 to 40 changes to real tools: each change in a call of its own, and all in one request',
  async run(report) {
    const once = await runAll(false, allowOnce);
    const remembered = await runAll(false, answerTo);
    const together = await runAll(true, allowOnce);
    report.table(
      'Questions and tokens',
      tasks('').map(([task, calls], index) => ({
        task,
        calls: String(calls.length),
        'questions, allowed once': String(once[index]?.questions),
        'allowed as offered': String(remembered[index]?.questions),
        'one request': String(together[index]?.questions),
        'tokens, one by one': String(once[index]?.tokens),
        'tokens, one request': String(together[index]?.tokens),
      })),
    );
    const sum = (costs: Cost[], key: keyof Cost) => costs.reduce((total, cost) => total + cost[key], 0);
    const questions = [once, remembered, together].map((costs) => sum(costs, 'questions'));
    report.note(`Questions: ${questions.join(', ')}. Goal: one request asks at most a tenth of what single calls ask.`);
    report.note(`Tokens: ${sum(once, 'tokens')} one by one, ${sum(together, 'tokens')} in one request.`);
    report.note(`Failed calls: ${[once, remembered, together].map((costs) => sum(costs, 'failed')).join(', ')}.`);
  },
};

const allowOnce = ({ rows }: Question): Answer =>
  rows ? { action: 'accept', rows: rows.map((_row, index) => index) } : { action: 'accept', scope: 'once' };

async function runAll(isTogether: boolean, answer: (question: Question) => Answer): Promise<Cost[]> {
  const product = newProduct();
  const desk = join(product.home, 'desk');
  try {
    product.file('desk/notes.md', 'a list\n');
    const batch = isTogether ? { batch: { clients: ['bulk'] } } : {};
    product.file('.toolkeep/config.json', { servers: servers(desk, join(product.home, 'memory.jsonl')), ...batch });
    await product.serve();
    const costs: Cost[] = [];
    for (const [, calls] of tasks(desk)) {
      const cost: Cost = { questions: 0, tokens: 0, failed: 0 };
      const user = await attachUser(await product.pageUrl(), answer, () => {
        cost.questions += 1;
      });
      const client = new Client({ name: 'bulk', version: '1' });
      const send = async (name: string, args: object) => {
        const result = await client.callTool({ name, arguments: { ...args } }, undefined, { timeout: 120_000 });
        cost.tokens += encode(JSON.stringify({ name, arguments: args })).length;
        cost.tokens += encode(JSON.stringify(result.content)).length;
        if (result.isError) cost.failed += 1;
      };
      await client.connect(new StdioClientTransport(product.bridge('--client', 'bulk')));
      const targets = calls.map(([server, tool, args]) => ({ server, tool, arguments: args }));
      if (isTogether) await send('execute_tools', { calls: targets });
      else for (const target of targets) await send('execute_tool', target);
      await client.close();
      user.close();
      costs.push(cost);
    }
    return costs;
  } finally {
    await product.dispose();
  }
}

const many = (count: number, call: (index: number) => Call): Call[] =>
  Array.from({ length: count }, (_, index) => call(index + 1));

function tasks(desk: string): Task[] {
  const repo = { owner: 'ada', repo: 'engine' };
  const file = (index: number) => join(desk, `note-${index}.md`);
  const entity = (index: number) => `topic ${index}`;
  const github = (tool: string, args: object): Call => ['github', tool, { ...repo, ...args }];
  return [
    ['label issues', many(40, (issue_number) => github('update_issue', { issue_number, labels: ['bug'] }))],
    ['close stale issues', many(25, (issue_number) => github('update_issue', { issue_number, state: 'closed' }))],
    [
      'comment on issues',
      many(12, (issue_number) => github('add_issue_comment', { issue_number, body: 'Fixed in 2.1.' })),
    ],
    ['create issues', many(20, (index) => github('create_issue', { title: `Translate page ${index}` }))],
    ['create branches', many(8, (index) => github('create_branch', { branch: `release-${index}` }))],
    ['write files', many(30, (index) => ['filesystem', 'write_file', { path: file(index), content: 'a list\n' }])],
    [
      'edit files',
      many(30, (index) => [
        'filesystem',
        'edit_file',
        { path: file(index), edits: [{ oldText: 'a list', newText: `list ${index}` }] },
      ]),
    ],
    ['create folders', many(12, (index) => ['filesystem', 'create_directory', { path: join(desk, `part-${index}`) }])],
    [
      'move files',
      many(12, (index) => [
        'filesystem',
        'move_file',
        { source: file(index), destination: join(desk, `part-${index}`, 'note.md') },
      ]),
    ],
    [
      'create entities',
      many(20, (index) => [
        'memory',
        'create_entities',
        { entities: [{ name: entity(index), entityType: 'topic', observations: ['new'] }] },
      ]),
    ],
    [
      'add observations',
      many(20, (index) => [
        'memory',
        'add_observations',
        { observations: [{ entityName: entity(index), contents: ['read'] }] },
      ]),
    ],
    [
      'create relations',
      many(15, (index) => [
        'memory',
        'create_relations',
        { relations: [{ from: entity(index), to: entity(index + 1), relationType: 'precedes' }] },
      ]),
    ],
    [
      'delete observations',
      many(10, (index) => [
        'memory',
        'delete_observations',
        { deletions: [{ entityName: entity(index), observations: ['new'] }] },
      ]),
    ],
    ['delete entities', many(10, (index) => ['memory', 'delete_entities', { entityNames: [entity(index)] }])],
    [
      'post in channels',
      many(8, (index) => ['slack', 'slack_post_message', { channel_id: `C${index}`, text: 'Release 2.1 is out.' }]),
    ],
    [
      'add reactions',
      many(20, (index) => [
        'slack',
        'slack_add_reaction',
        { channel_id: 'C1', timestamp: `17${index}.1`, reaction: 'eyes' },
      ]),
    ],
    ['complete tasks', many(30, (index) => ['asana', 'asana_update_task', { task_id: `${index}`, completed: true }])],
    [
      'create tasks',
      many(15, (index) => ['asana', 'asana_create_task', { project_id: '7', name: `Review page ${index}` }]),
    ],
    [
      'move tasks',
      many(20, (index) => ['asana', 'asana_add_task_to_section', { section_id: '3', task_id: `${index}` }]),
    ],
    ['delete tasks', many(10, (index) => ['asana', 'asana_delete_task', { task_id: `${index}` }])],
  ];
}
