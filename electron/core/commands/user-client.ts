/** The user in a UI or a terminal, as the client of a call. */
import { userName } from '../../../shared/model/call.ts';
import type { Client } from '../types.ts';

/** Has no `request`, so servers' requests cannot go to a client. */
export const user: Client = {
  id: 'toolkeep',
  name: userName,
  identity: 'user',
  isUser: true,
  scope: {},
  capabilities: {},
};
