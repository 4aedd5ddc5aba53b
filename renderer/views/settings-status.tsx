/** Every server at a glance. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Switch } from '../parts/controls.tsx';
import { Section } from '../parts/page.tsx';
import { StatusTable } from '../parts/status-table.tsx';
import { useStores } from '../stores/stores.ts';

export function StatusSettings() {
  const { choices } = useStores();
  const { technical } = useStore(choices.state);
  const now = useNow();
  return (
    <Section
      title="Servers"
      aside={
        <Switch label="Technical details" checked={technical} onChange={(next) => choices.set({ technical: next })} />
      }
    >
      <StatusTable technical={technical} now={now} />
    </Section>
  );
}

/** The present time, moving on every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
