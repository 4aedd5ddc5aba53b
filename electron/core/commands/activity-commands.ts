/** Commands for what happens: calls in progress, the history, notifications and questions. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { tellDay } from '../history/story.ts';
import type { CommandServices } from './services.ts';

export function activityCommands({ calls: { active }, elicitation, uploads, stores }: CommandServices) {
  const { results, history, notifications } = stores;
  return {
    'calls.active': active.list,
    'calls.cancel': ({ id }) => active.cancel(id),
    'calls.result': async (call) => ({ kept: await results.find(call) }),
    'history.list': (filter) => history.list(filter),
    'history.page': ({ after, ...filter }) => history.page(filter, after),
    'history.story': ({ from, to }) => tellDay(history.list({ from, to, limit: Number.POSITIVE_INFINITY })),
    'notifications.list': notifications.list,
    'notifications.read': ({ ids }) => notifications.read(ids),
    'notifications.clear': ({ ids }) => notifications.clear(ids),
    'questions.list': () => elicitation.pending(),
    'questions.answer': ({ id, answer }) => elicitation.answer(id, answer),
    'questions.upload': ({ part, ...upload }) => uploads.add({ ...upload, part: Buffer.from(part, 'base64') }),
  } satisfies Partial<CommandHandlers>;
}
