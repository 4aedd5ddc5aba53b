/** The few choices there are, by what they are about, and how Gatehouse is doing. */
import { Pause, Play } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { duration } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';
import { ApprovalSettings } from './settings-approvals.tsx';
import { GeneralSettings } from './settings-general.tsx';
import { SearchSettings } from './settings-search.tsx';
import { SecretSettings } from './settings-secrets.tsx';
import { StatusSettings, useNow } from './settings-status.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: 'General' },
  { id: 'approvals', label: 'Approvals' },
  { id: 'secrets', label: 'Secrets' },
  { id: 'search', label: 'Search' },
  { id: 'status', label: 'Status' },
];

export function SettingsView({ parts: [wanted = ''] }: { parts: string[] }) {
  const { status, link, notices } = useStores();
  const { data, failure } = useResource(status);
  const now = useNow();
  const chosen = tabs.some(({ id }) => id === wanted) ? wanted : '';
  return (
    <Page
      title="Settings"
      lead={data && `Gatehouse ${data.version}, running for ${duration(now - data.startedAt)}`}
      actions={
        data && (
          <Button
            icon={data.paused ? Play : Pause}
            look={data.paused ? 'primary' : 'plain'}
            onClick={() => void notices.attempt(() => link.call('core.pause', { paused: !data.paused }))}
          >
            {data.paused ? 'Resume' : 'Pause all tools'}
          </Button>
        )
      }
    >
      <Tabs place="settings" tabs={tabs} chosen={chosen} />
      {failure && !data && <FailureBox failure={failure} onRetry={() => void status.load()} />}
      {!data && !failure && <Skeleton label="status" />}
      {chosen === '' && <GeneralSettings />}
      {chosen === 'approvals' && <ApprovalSettings />}
      {chosen === 'secrets' && <SecretSettings />}
      {chosen === 'search' && <SearchSettings />}
      {chosen === 'status' && <StatusSettings />}
    </Page>
  );
}
