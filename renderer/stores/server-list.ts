/** The filters and the order of the list of servers. */
import type { ServerView } from '../../shared/model/server.ts';
import { isConnected } from '../../shared/server-facts.ts';
import { createViewState, oneOf, type ViewState } from './view-state.ts';

export const serverOrders = ['attention', 'name', 'tag', 'calls', 'tools'] as const;
export type ServerOrder = (typeof serverOrders)[number];

/** Servers without a tag. No tag contains only a space. */
export const untagged = ' ';

export interface ServerListState {
  text: string;
  state: 'all' | 'available' | 'problems' | 'disabled';
  /** Empty for any. */
  tag: string;
  order: ServerOrder;
}

/** Whether the server's tools can be run now. An idle server starts when it is used. */
export const isAvailable = (server: ServerView): boolean => isConnected(server) && server.signIn !== 'needed';

export function createServerList(): ViewState<ServerListState> {
  return createViewState<ServerListState>(
    'servers',
    { text: '', state: 'all', tag: '', order: 'attention' },
    { order: oneOf(serverOrders) },
  );
}
