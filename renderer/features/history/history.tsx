/** The history: calls, questions and decisions, what Toolkeep changed, and the tokens saved. */
import { Page } from '../../components/page.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { t } from '../../text.tsx';
import { Activity } from './activity.tsx';
import { Changes } from './changes.tsx';
import { Savings } from './savings.tsx';
import { Story } from './story.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: t('Activity') },
  { id: 'story', label: t('Story') },
  { id: 'changes', label: t('Changes') },
  { id: 'savings', label: t('Token savings') },
];

const leads: Record<string, string> = {
  '': t('Every call, question and decision. Secrets are redacted.'),
  story: t('What your agents did, in the words of their tools.'),
  changes: t('What was changed in Toolkeep and in your clients’ files, and by whom.'),
  savings: t('Tokens saved, net of the cost of searching.'),
};

export function HistoryView({ segments: [requestedTab = '', opened] }: { segments: string[] }) {
  const isTab = tabs.some(({ id }) => id === requestedTab);
  const tab = isTab ? requestedTab : '';
  return (
    <Page title={t('History')} lead={leads[tab]}>
      <Tabs view="history" tabs={tabs} current={tab} />
      {tab === 'savings' && <Savings />}
      {tab === 'story' && <Story />}
      {tab === 'changes' && <Changes opened={opened} />}
      {tab === '' && <Activity opened={isTab ? undefined : requestedTab} />}
    </Page>
  );
}
