/** The settings, in tabs by topic. */
import { Pause, Play } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { duration } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Unloaded } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { useNow } from '../../components/use-now.ts';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { ApprovalSettings } from './settings-approvals.tsx';
import { FolderSettings } from './settings-folders.tsx';
import { GeneralSettings } from './settings-general.tsx';
import { SearchSettings } from './settings-search.tsx';
import { SecretSettings } from './settings-secrets.tsx';
import { StatusSettings } from './settings-status.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: t('General') },
  { id: 'approvals', label: t('Approvals') },
  { id: 'secrets', label: t('Secrets') },
  { id: 'folders', label: t('Folders') },
  { id: 'search', label: t('Search') },
  { id: 'status', label: t('Status') },
];

export function SettingsView({ segments: [requestedTab = '', folder] }: { segments: string[] }) {
  const { status, link, toasts } = useStores();
  const { data, failure } = useResource(status);
  const now = useNow(10_000);
  const currentTab = tabs.some(({ id }) => id === requestedTab) ? requestedTab : '';
  return (
    <Page
      title={t('Settings')}
      lead={
        data &&
        t('Toolkeep {version}, running for {duration}', {
          version: data.version,
          duration: duration(now - data.startedAt),
        })
      }
      actions={
        data && (
          <Button
            icon={data.paused ? Play : Pause}
            look={data.paused ? 'primary' : 'plain'}
            onClick={() => void toasts.attempt(() => link.call('core.pause', { paused: !data.paused }))}
          >
            {data.paused ? t('Resume') : t('Pause all tools')}
          </Button>
        )
      }
    >
      <Tabs view="settings" tabs={tabs} current={currentTab} />
      {!data && <Unloaded failure={failure} label={t('Loading status')} onRetry={status.load} />}
      {currentTab === '' && <GeneralSettings />}
      {currentTab === 'approvals' && <ApprovalSettings />}
      {currentTab === 'secrets' && <SecretSettings />}
      {currentTab === 'folders' && <FolderSettings reviewed={folder} />}
      {currentTab === 'search' && <SearchSettings />}
      {currentTab === 'status' && <StatusSettings />}
    </Page>
  );
}
