/** Names a call in a notification or a menu. Contains only names: arguments may be secret, so only the window shows them. */
import { userName } from '../../shared/model/call.ts';
import { t } from './text.ts';

const maxLength = 120;

/** `Cursor: github › create_issue`; empty if nothing is known. */
export function callText({ client, server, tool }: { client?: string; server?: string; tool?: string } = {}): string {
  const what = [server, tool].filter(Boolean).join(' › ');
  return [client === userName ? t('You') : client, what].filter(Boolean).join(': ').slice(0, maxLength);
}
