/**
 * Scripted days of ordinary work: 120 calls to six servers through the built product, and a user who
 * remembers what the questions offer. Two servers are real. For the other four, which need accounts, only the
 * definitions are real.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Answer, Question } from '../../shared/model/question.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import { commands } from '../fixtures/commands.ts';
import { openPageSocket, wireOf } from '../fixtures/page-socket.ts';
import { newProduct, type Product } from './product.ts';

export type Call = [server: string, tool: string, args: Record<string, unknown>];

export interface Day {
  calls: number;
  /** The results of failed calls. */
  failed: string[];
  questions: { server: string; tool: string; covers: string; answer: string }[];
}

/** Two days of the same kind of work, on other issues, pull requests, tasks and facts. The client disconnects in between. */
export async function spendTwoDays(approvals: object = {}): Promise<[Day, Day]> {
  const product = newProduct();
  const desk = join(product.home, 'desk');
  try {
    product.file('.toolkeep/config.json', { approvals, servers: servers(desk, join(product.home, 'memory.jsonl')) });
    await product.serve();
    return [await spendDay(product, desk, 1), await spendDay(product, desk, 2)];
  } finally {
    await product.dispose();
  }
}

async function spendDay(product: Product, desk: string, number: number): Promise<Day> {
  const day: Day = { calls: 0, failed: [], questions: [] };
  mkdirSync(join(desk, 'src'), { recursive: true });
  for (const name of ['a', 'b', 'c', 'd'])
    writeFileSync(join(desk, 'src', `${name}.ts`), `export const ${name} = 1;\n`);
  const user = await attachUser(await product.pageUrl(), answerTo, (question, answer) => {
    const { server = '', tool = '' } = question.from;
    const said = answer.action === 'accept' ? `${answer.scope}${answer.conditions ? ', narrowed' : ''}` : answer.action;
    day.questions.push({ server, tool, covers: question.approval?.covers ?? '', answer: said });
  });
  const client = new Client({ name: 'scripted-agent', version: '1' });
  try {
    await client.connect(new StdioClientTransport(product.bridge('--client', 'claude-code')));
    for (const [server, tool, args] of work(desk, number)) {
      const result = await client.callTool({ name: 'execute_tool', arguments: { server, tool, arguments: args } });
      day.calls += 1;
      if (result.isError) day.failed.push(`${server}/${tool}: ${JSON.stringify(result.content).slice(0, 300)}`);
    }
  } finally {
    await client.close();
    user.close();
  }
  return day;
}

export function servers(desk: string, memory: string) {
  const all = {
    filesystem: commands.filesystem(desk),
    memory: commands.memory(memory),
    ...Object.fromEntries(['github', 'playwright', 'slack', 'asana'].map((name) => [name, commands.listedTools(name)])),
  };
  return Object.entries(all).map(([name, command]) => ({ name, connection: { type: 'stdio', ...command } }));
}

/** A page whose user answers each question when it appears. */
export async function attachUser(
  pageUrl: string,
  answerTo: (question: Question) => Answer,
  onAnswer: (question: Question, answer: Answer) => void,
) {
  const socket = await openPageSocket(pageUrl);
  const core = connectCore(wireOf(socket));
  const answered = new Set<string>();
  core.on('questions.changed', async () => {
    for (const question of await core.call('questions.list')) {
      if (answered.has(question.id)) continue;
      answered.add(question.id);
      const answer = answerTo(question);
      onAnswer(question, answer);
      await core.call('questions.answer', { id: question.id, answer });
    }
  });
  return core;
}

/** Remembers approvals of moderate tools, new destinations, and dangerous tools if the approval can be limited. */
export function answerTo({ approval }: Question): Answer {
  if (approval?.covers !== 'tool') return { action: 'accept', scope: 'always' };
  if (approval.conditions?.length) return { action: 'accept', scope: 'always', conditions: [0] };
  const isLimited = approval.destinations?.offers.includes('these');
  return { action: 'accept', scope: isLimited ? 'always' : 'once' };
}

/** A morning of fixing a bug, an afternoon of coordination: reads mostly, edits, creations, a few dangerous calls. */
export function work(desk: string, day: number): Call[] {
  const path = (...parts: string[]) => join(desk, ...parts);
  const repo = { owner: 'ada', repo: 'engine' };
  const source = (name: string) => path('src', `${name}.ts`);
  const read = (name: string): Call => ['filesystem', 'read_text_file', { path: source(name) }];
  const edit = (name: string, from: number): Call => [
    'filesystem',
    'edit_file',
    { path: source(name), edits: [{ oldText: `= ${from};`, newText: `= ${from + 1};` }] },
  ];
  const browse = (url: string): Call[] => [
    ['playwright', 'browser_navigate', { url }],
    ['playwright', 'browser_snapshot', {}],
    ['playwright', 'browser_click', { target: 'e1', element: 'Sign in' }],
    ['playwright', 'browser_type', { target: 'e2', element: 'Search', text: 'engine' }],
    ['playwright', 'browser_take_screenshot', {}],
    ['playwright', 'browser_console_messages', {}],
  ];
  const fix = (name: string, round: number): Call[] => [
    read(name),
    ['filesystem', 'search_files', { path: desk, pattern: `${name}.ts` }],
    edit(name, round),
    read(name),
  ];
  const triage = (issue: number): Call[] => [
    ['github', 'get_issue', { ...repo, issue_number: issue }],
    ['github', 'search_code', { q: 'engine repo:ada/engine' }],
    ['github', 'add_issue_comment', { ...repo, issue_number: issue, body: 'I look into it.' }],
    ['github', 'update_issue', { ...repo, issue_number: issue, state: 'open' }],
  ];
  const remember = (fact: string): Call[] => [
    ['memory', 'search_nodes', { query: 'engine' }],
    ['memory', 'add_observations', { observations: [{ entityName: 'engine', contents: [fact] }] }],
  ];
  const report = (text: string): Call[] => [
    ['slack', 'slack_get_channel_history', { channel_id: 'C1' }],
    ['slack', 'slack_post_message', { channel_id: 'C1', text }],
    ['slack', 'slack_add_reaction', { channel_id: 'C1', timestamp: '1', reaction: 'eyes' }],
  ];
  const plan = (task: string): Call[] => [
    ['asana', 'asana_get_task', { task_id: task }],
    ['asana', 'asana_update_task', { task_id: task, completed: true }],
    ['asana', 'asana_create_subtask', { parent_task_id: task, name: 'Follow up' }],
    ['asana', 'asana_add_task_to_section', { section_id: '7', task_id: task }],
  ];
  const pull = 9 + 10 * day;
  const entities = [{ name: 'engine', entityType: 'project', observations: [`started ${day}`] }];
  return [
    ['filesystem', 'list_directory', { path: desk }],
    ['filesystem', 'directory_tree', { path: desk }],
    ['memory', 'read_graph', {}],
    ['memory', 'create_entities', { entities }],
    ['github', 'list_issues', repo],
    ...[1, 2, 3, 4].map((issue) => 10 * day + issue).flatMap(triage),
    ['github', 'create_branch', { ...repo, branch: `fix-${day}` }],
    ...['a', 'b', 'c', 'd'].flatMap((name) => [...fix(name, 1), ...fix(name, 2)]),
    ['filesystem', 'create_directory', { path: path('docs') }],
    ['filesystem', 'write_file', { path: path('docs', 'engine.md'), content: '# Engine\n' }],
    ['filesystem', 'write_file', { path: path('docs', `changes-${day}.md`), content: '# Changes\n' }],
    ['filesystem', 'get_file_info', { path: path('docs', 'engine.md') }],
    [
      'github',
      'push_files',
      { ...repo, branch: `fix-${day}`, files: [{ path: 'a.ts', content: 'x' }], message: 'Fix' },
    ],
    ['github', 'create_pull_request', { ...repo, title: 'Fix', head: `fix-${day}`, base: 'main' }],
    ['github', 'get_pull_request_files', { ...repo, pull_number: pull }],
    ['github', 'get_pull_request_status', { ...repo, pull_number: pull }],
    ['github', 'get_pull_request_reviews', { ...repo, pull_number: pull }],
    ['github', 'list_commits', repo],
    ['github', 'merge_pull_request', { ...repo, pull_number: pull }],
    ...[1, 2, 3].map((page) => `https://example.com/${day}${page}`).flatMap(browse),
    ...['fixed', 'released', 'measured'].flatMap(remember),
    ...['Fixed.', 'Released.', 'Measured.'].flatMap(report),
    ...[1, 2, 3, 4].map((task) => `${day}${task}`).flatMap(plan),
    ['asana', 'asana_get_my_tasks', { workspace: '1' }],
    ['asana', 'asana_delete_task', { task_id: `${day}4` }],
    ['memory', 'delete_observations', { deletions: [{ entityName: 'engine', observations: [`started ${day}`] }] }],
    ['memory', 'read_graph', {}],
    ['memory', 'open_nodes', { names: ['engine'] }],
    ['filesystem', 'list_allowed_directories', {}],
  ];
}
