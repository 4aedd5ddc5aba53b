/** Commands for questions to the user. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'questions.list' | 'questions.answer'>;

export function questionCommands({ elicitation }: CommandServices): Handlers {
  return {
    'questions.list': () => elicitation.pending(),
    'questions.answer': ({ id, answer }) => elicitation.answer(id, answer),
  };
}
