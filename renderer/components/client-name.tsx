/** The display name of a client. Clients report their own names: `claude-ai` is Claude Desktop. */
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import { VisibleText } from './untrusted-text.tsx';

export function useClientName(): (name: string) => string {
  const names = useStore(useStores().clientNames.state, ({ data }) => data);
  return useCallback((name) => (names && Object.hasOwn(names, name) ? (names[name] ?? name) : name), [names]);
}

export function ClientName({ name }: { name: string }) {
  const nameOf = useClientName();
  const shown = nameOf(name);
  if (shown === name) return <VisibleText text={name} />;
  return <span title={t('This client reports its name as {name}.', { name })}>{shown}</span>;
}
