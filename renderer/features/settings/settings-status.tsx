/** The status of every server. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Switch } from '../../components/controls.tsx';
import { Section } from '../../components/page.tsx';
import { StatusTable } from '../../components/status-table.tsx';
import { useStores } from '../../stores/stores.ts';

export function StatusSettings() {
  const { appearance } = useStores();
  const { showTechnicalDetails } = useStore(appearance.state);
  const now = useNow();
  return (
    <Section
      title="Servers"
      aside={
        <Switch
          label="Technical details"
          checked={showTechnicalDetails}
          onChange={(next) => appearance.set({ showTechnicalDetails: next })}
        />
      }
    >
      <StatusTable showTechnicalDetails={showTechnicalDetails} now={now} />
    </Section>
  );
}

/** The current time, updated every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
