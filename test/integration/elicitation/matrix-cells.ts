/** The table of all servers, clients, questions and outcomes. A batch runs one outcome for all servers, clients and questions. */
import { join } from 'node:path';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { type AnyClient, openClient } from '../gateway/clients.ts';
import type { RealCore } from './real-core.ts';

type Json = Record<string, unknown>;

export const servers = ['legacy', 'modern'] as const;
export const clients = [
  { client: 'legacy with elicitation', kind: 'v1', elicits: true },
  { client: 'legacy without', kind: 'v1', elicits: false },
  { client: 'modern', kind: 'v2 pinned to 2026-07-28', elicits: true },
  { client: 'raw JSON-RPC', kind: 'raw 2024-11-05', elicits: false },
] as const;

const table = join(import.meta.dirname, '../../fixtures/table.csv');

/** `value` is the answer of a UI, `content` the server's result for it under the question's `key`. */
export const types = [
  { type: 'confirmation', tool: 'confirm', key: 'ok', value: true, content: { confirm: true } },
  { type: 'text', tool: 'text', key: 'name', value: 'ada@example.com', content: { email: 'ada@example.com' } },
  { type: 'select', tool: 'choose', key: 'one', value: 'b', content: { pick: 'b' } },
  { type: 'multiselect', tool: 'multiselect', key: 'many', value: ['p', 'r'], content: { tags: ['p', 'r'] } },
  { type: 'form', tool: 'form', key: 'all', value: { name: 'Ada', age: 36 }, content: { name: 'Ada', age: 36 } },
  {
    ...{ type: 'file', tool: 'file', key: 'chosen' },
    ...{ value: table, content: { table_file: table } },
  },
  { type: 'secret', tool: 'secret', key: 'key', value: 'hunter2-XYZZY', content: { api_key: 'hunter2-XYZZY' } },
  { type: 'url', tool: 'url', key: 'go', value: undefined, content: undefined },
] as const;

export const endings = [
  'answer',
  'decline',
  'cancel',
  'timeout',
  'client disconnects',
  'server dies',
  'Core restarts',
] as const;
export type Ending = (typeof endings)[number];

/**
 * Each client has its own legacy server. Such a server does not say which call a question belongs to, so with concurrent calls
 * of several clients Toolkeep could not name the client.
 */
export const serverOf = ({ server, client }: Pick<Cell, 'server' | 'client'>): string =>
  server === 'modern' ? 'modern' : `legacy-${clients.findIndex((entry) => entry.client === client)}`;
export const serverNames = ['modern', ...clients.map((_, index) => `legacy-${index}`)];

export interface Cell {
  server: (typeof servers)[number];
  client: (typeof clients)[number]['client'];
  type: (typeof types)[number]['type'];
  tool: string;
}
export const cells: Cell[] = servers.flatMap((server) =>
  clients.flatMap(({ client }) => types.map(({ type, tool }) => ({ server, client, type, tool }))),
);
export const nameOf = ({ server, client, type }: Cell) => `${server} server, ${client}, ${type}`;

/** The reaction of the user (or of a client instead) to every question from now on. */
export interface SimulatedUser {
  action: Answer['action'] | 'wait';
  /** Resolves when a client that waits may continue. */
  untilTimeout(): Promise<void>;
  /** Questions that clients received. */
  atClients: number;
}

/** The outcome of one cell's call. */
export interface End {
  result?: Json;
  error?: string;
}

export interface OpenClients {
  call(cell: Cell): Promise<End>;
  close(): Promise<void>;
}

/** One client of each kind. Clients with elicitation answer; for all others, the UI does. */
export async function openClients(core: RealCore, user: SimulatedUser): Promise<OpenClients> {
  const open = new Map<string, AnyClient>();
  await Promise.all(
    clients.map(async ({ client, kind, elicits }) => {
      const onElicit = async (params: Json) => {
        const type = types.find(({ tool }) => messages[tool] === params.message);
        user.atClients += 1;
        if (user.action === 'wait') await user.untilTimeout();
        if (user.action !== 'accept') return { action: user.action === 'wait' ? 'cancel' : user.action };
        return { action: 'accept', ...(type?.content && { content: type.content }) };
      };
      const elicitation = { form: {}, url: {} };
      open.set(client, await openClient(kind, 'bridge', core, elicits ? { onElicit, elicitation } : {}));
    }),
  );
  return {
    async call(cell) {
      const { client, tool } = cell;
      try {
        const server = serverOf(cell);
        const options = { timeout: 60_000 } as Json;
        const result = await open
          .get(client)
          ?.call('execute_tool', { server, tool, arguments: {} }, options as Parameters<AnyClient['call']>[2]);
        return result ? { result } : {};
      } catch (error) {
        return { error: String(error) };
      }
    },
    async close() {
      await Promise.all([...open.values()].map((client) => client.close()));
    },
  };
}

/** Answers in a UI, as a user would, while the UI is open. */
export function answerAt(ui: CoreClient, user: SimulatedUser): void {
  const seen = new Set<string>();
  const look = async () => {
    for (const question of await ui.call('questions.list')) {
      if (seen.has(question.id)) continue;
      if (user.action !== 'wait') seen.add(question.id);
      if (user.action !== 'wait')
        await ui.call('questions.answer', { id: question.id, answer: answerTo(question, user.action) });
    }
  };
  ui.on('questions.changed', () => void look().catch(() => undefined));
}

export function answerTo({ message }: Question, action: Answer['action']): Answer {
  const value = types.find(({ tool }) => messages[tool] === message)?.value;
  return action === 'accept' ? { action, value } : { action };
}

const messages: Record<string, string> = {
  confirm: 'Delete the branch?',
  text: 'Who are you?',
  choose: 'Which one?',
  multiselect: 'Several?',
  form: 'Fill this in',
  file: 'Which table?',
  secret: 'Your key?',
  url: 'Sign in',
};
