/** The data that a sample Core starts with. */
import type { ActiveCall } from '../../../shared/model/call.ts';
import type { SetupStep } from '../../../shared/model/home.ts';
import type { Answer, GrantView, KnownDestinationView, Question } from '../../../shared/model/question.ts';
import type { OwnRule, Rule } from '../../../shared/model/rule.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ClientFit } from '../../../shared/model/tool.ts';
import type { UpdateView } from '../../../shared/model/update.ts';
import { plainTools } from './sample-catalog.ts';
import { sampleLog } from './sample-log.ts';
import { sampleNotifications } from './sample-notifications.ts';
import { samplePlan, sampleRecords } from './sample-records.ts';
import { sampleServers, server } from './sample-servers.ts';
import { generatedTools, handMadeTools } from './sample-tools.ts';

export interface SampleOptions {
  /** No data: the first run. */
  empty?: boolean;
  /** Number of generated tools, in addition to the handwritten ones. */
  tools?: number;
  /** Every list fails. */
  broken?: boolean;
}

export const configRules: Rule[] = [
  { pattern: ['/^(create|update)_/i'], tags: ['writes'] },
  { server: 'github', pattern: ['delete_*'], enabled: true },
  { pattern: ['[broken'], enabled: false },
];

/** The state of a sample Core. */
export function sampleState(options: SampleOptions, now: number) {
  const tools = options.empty
    ? []
    : [...structuredClone(handMadeTools), ...plainTools(), ...generatedTools(options.tools ?? 0)];
  const generated = [...new Set(tools.map((tool) => tool.server))].filter((id) => id.startsWith('service-'));
  /** Sets the real tool counts. */
  const counted = (view: ServerView): ServerView => {
    const its = tools.filter((tool) => tool.server === view.id);
    return { ...view, toolCount: its.length, enabledCount: its.filter((tool) => tool.enabled && !tool.held).length };
  };
  return {
    now,
    setupStep: undefined as SetupStep | undefined,
    /** Calls in progress. */
    active: [] as ActiveCall[],
    paused: false,
    pausedUntil: undefined as number | undefined,
    update: undefined as UpdateView | undefined,
    servers: options.empty
      ? []
      : [...sampleServers(now).map(counted), ...generated.map((id) => counted(server({ id, status: 'idle' })))],
    tools,
    /** The log that every server has. */
    log: options.empty ? [] : sampleLog(now),
    rules: (options.empty
      ? []
      : [
          { server: 'github', pattern: ['delete_*', '!delete_label'], enabled: false, active: true },
          { pattern: ['*secret*', '*token*'], confirm: 'always', tags: ['sensitive'], active: true },
          { server: 'filesystem', pattern: ['*'], enabled: true, active: true },
          { pattern: ['*draft*'], enabled: false, active: false },
        ]) as OwnRule[],
    questions: [] as { question: Question; resolve(answer: Answer): void }[],
    uploads: [] as { name: string; size: number; part: string }[],
    records: options.empty ? [] : sampleRecords(now),
    notifications: options.empty ? [] : sampleNotifications(now),
    results: {} as Record<string, Record<string, unknown>>,
    grants: (options.empty
      ? []
      : [
          {
            id: 'g1',
            client: 'Claude Desktop',
            server: 'filesystem',
            tool: 'write_file',
            scope: 'always',
            conditions: [{ kind: 'inside', value: '/home/ada/Documents' }],
            grantedAt: now - 86_400_000,
          },
          {
            id: 'g2',
            client: 'Claude Desktop',
            server: 'github',
            tool: '',
            covers: 'acts',
            scope: 'always',
            conditions: [],
            grantedAt: now - 86_400_000,
          },
        ]) as GrantView[],
    destinations: (options.empty
      ? []
      : [
          {
            id: 'd1',
            client: 'Claude Desktop',
            server: 'gmail',
            kind: 'email',
            value: 'anna@acme.com',
            at: now - 60_000,
          },
          { id: 'd2', client: '', server: 'github', kind: 'place', value: 'owner ada, repo engine', at: now - 60_000 },
        ]) as KnownDestinationView[],
    plan: samplePlan(options.empty ?? false),
    fits: [
      { client: 'Claude Desktop', mode: 'lazy', level: 'full', notes: [] },
      { client: 'Cursor', mode: 'full', level: 'full', notes: [] },
    ] as ClientFit[],
  };
}
