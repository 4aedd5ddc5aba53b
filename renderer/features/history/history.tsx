/** The history: calls, questions and decisions, and what Toolkeep changed. */
import { Page } from '../../components/page.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { t } from '../../text.tsx';
import { Activity } from './activity.tsx';
import { Changes } from './changes.tsx';
import { Story } from './story.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: t('Activity') },
  { id: 'story', label: t('Story') },
  { id: 'changes', label: t('Changes') },
];

const leads: Record<string, string> = {
  '': t('Every call, question and decision. Secrets are redacted.'),
  story: t('What your agents did, in the words of their tools.'),
  changes: t('What was changed in Toolkeep and in your clients’ files, and by whom.'),
};

export function HistoryView({ segments: [requestedTab = '', opened] }: { segments: string[] }) {
  const isTab = tabs.some(({ id }) => id === requestedTab);
  const tab = isTab ? requestedTab : '';
  return (
    <Page title={t('History')} lead={leads[tab]}>
      <Tabs view="history" tabs={tabs} current={tab} />
      {tab === 'story' && <Story />}
      {tab === 'changes' && <Changes opened={opened} />}
      {tab === '' && <Activity opened={isTab ? undefined : requestedTab} />}
    </Page>
  );
}
