/** Commands for what happens: calls in progress, the history, saved tokens, notifications and questions. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'calls.active'
  | 'calls.cancel'
  | 'calls.result'
  | 'history.list'
  | 'history.page'
  | 'stats.show'
  | 'notifications.list'
  | 'notifications.read'
  | 'notifications.clear'
  | 'questions.list'
  | 'questions.answer'
>;

export function activityCommands({ calls: { active }, elicitation, stores }: CommandServices): Handlers {
  const { results, history, savings, notifications } = stores;
  return {
    'calls.active': active.list,
    'calls.cancel': ({ id }) => active.cancel(id),
    'calls.result': async (call) => ({ kept: await results.find(call) }),
    'history.list': (filter) => history.list(filter),
    'history.page': ({ after, ...filter }) => history.page(filter, after),
    'stats.show': ({ days }) => savings.show(days),
    'notifications.list': notifications.list,
    'notifications.read': ({ ids }) => notifications.read(ids),
    'notifications.clear': ({ ids }) => notifications.clear(ids),
    'questions.list': () => elicitation.pending(),
    'questions.answer': ({ id, answer }) => elicitation.answer(id, answer),
  };
}
