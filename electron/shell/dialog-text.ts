/** What native dialogs say. Text from servers is shown as it is, without anything that could make it read differently. */
import type { Answer, Question } from '../../shared/model.ts';
import { nameWithEscapes, withEscapes } from '../../shared/visible-text.ts';

export interface NativeDialog {
  message: string;
  detail: string;
  /** The first one is the answer to Return, Escape and closing: it must say no. Without an answer: the prompt window. */
  choices: { label: string; answer?: Answer }[];
}

/** More than this is not read in a native dialog. */
const maxDetail = 1_200;

type Scope = NonNullable<NonNullable<Extract<Answer, { action: 'accept' }>['scope']>>;

const scopeLabels: Record<Scope, string> = {
  once: 'Allow once',
  session: 'Allow for this session',
  minutes: 'Allow for 15 minutes',
  always: 'Always allow',
};

/** The call in full; undefined when it does not fit. */
export function approvalDialog(question: Question): NativeDialog | undefined {
  const { approval, from } = question;
  const lines = [
    ...(from.client ? [`Asked by: ${nameWithEscapes(from.client)}`] : []),
    `Server: ${nameWithEscapes(from.server ?? 'unknown')}`,
    `Tool: ${nameWithEscapes(from.tool ?? 'unknown')}`,
    ...(approval?.reasons.length ? [`Why you are asked: ${nameWithEscapes(approval.reasons.join('; '))}`] : []),
    '',
    withEscapes(JSON.stringify(approval?.arguments ?? {}, null, 2)),
  ];
  const detail = lines.join('\n');
  if (detail.length > maxDetail) return undefined;
  const scopes: Scope[] = approval?.scopes.length ? approval.scopes : ['once'];
  // What may be narrowed is not given away in full where it cannot be: the window offers both.
  const canNarrow = (approval?.conditions ?? []).length > 0;
  const direct = canNarrow ? scopes.filter((scope) => scope === 'once' || scope === 'session') : scopes;
  return {
    message: withEscapes(question.message) || 'May this tool run?',
    detail,
    choices: [
      { label: 'Deny', answer: { action: 'decline' } },
      ...direct.map((scope) => ({ label: scopeLabels[scope], answer: { action: 'accept' as const, scope } })),
      ...(canNarrow ? [{ label: 'Other choices…' }] : []),
      { label: 'Deny and switch off', answer: { action: 'decline', switchOff: true } },
    ],
  };
}

/** The question in full; undefined when it does not fit. */
export function confirmationDialog(question: Question): NativeDialog | undefined {
  const { client, server, tool } = question.from;
  const message = withEscapes(question.message);
  const lines = Object.entries({ From: client, Server: server, Tool: tool }).flatMap(([role, name]) =>
    name ? [`${role}: ${nameWithEscapes(name)}`] : [],
  );
  const detail = lines.join('\n');
  if (message.length + detail.length > maxDetail) return undefined;
  return {
    ...{ message, detail },
    choices: [
      { label: 'No', answer: { action: 'decline' } },
      { label: 'Yes', answer: { action: 'accept', value: true } },
    ],
  };
}

export interface FileDialog {
  /** All that Windows and Linux show. */
  title: string;
  /** macOS shows this instead. */
  message: string;
  pick: 'file' | 'save' | 'folder';
  filters: { name: string; extensions: string[] }[];
}

/** What was wrong with the file chosen before stands first. */
export function fileDialog(question: Question): FileDialog {
  const [field] = question.fields;
  const { pick = 'file', extensions } = field?.file ?? {};
  const problem = field && question.problems?.[field.name];
  const asked = [...(problem ? [problem] : []), question.message].join(' ');
  const message = withEscapes(question.from.server ? `${question.from.server}: ${asked}` : asked).slice(0, 200);
  const filters = extensions ? [{ name: extensions.map((ending) => `.${ending}`).join(', '), extensions }] : [];
  return { title: message, message, pick, filters };
}
