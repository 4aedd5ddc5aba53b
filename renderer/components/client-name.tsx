/** The display name of a client: `claude-ai` is Claude Desktop, and the user's own calls are by “You”. */
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { userName } from '../../shared/model/call.ts';
import { clientNameIn } from '../stores/client-names.ts';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import { VisibleText } from './untrusted-text.tsx';

export function useClientName(): (name: string) => string {
  const names = useStore(useStores().clientNames.state, ({ data }) => data);
  return useCallback((name) => clientNameIn(names, name), [names]);
}

export function ClientName({ name }: { name: string }) {
  const nameOf = useClientName();
  const shown = nameOf(name);
  if (shown === name || name === userName) return <VisibleText text={shown} />;
  return <span title={t('This client reports its name as {name}.', { name })}>{shown}</span>;
}
