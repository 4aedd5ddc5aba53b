/** Commands for questions to the user, and for grants. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<
  CommandHandlers,
  'questions.list' | 'questions.answer' | 'grants.list' | 'grants.allowActs' | 'grants.revoke'
>;

export function questionCommands({ elicitation, approvals, servers }: CommandServices): Handlers {
  return {
    'questions.list': () => elicitation.pending(),
    'questions.answer': ({ id, answer }) => elicitation.answer(id, answer),
    'grants.list': () =>
      approvals.grants().map(({ fingerprint: _fingerprint, connection: _connection, ...grant }) => grant),
    'grants.allowActs': ({ server }) => approvals.allowActs(servers.config(server).name),
    'grants.revoke': ({ id }) => approvals.revoke(id),
  };
}
