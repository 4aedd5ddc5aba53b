/** The history: calls, questions and decisions, and the tokens saved. */
import { Page } from '../../components/page.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { t } from '../../text.tsx';
import { Activity } from './activity.tsx';
import { Savings } from './savings.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: t('Activity') },
  { id: 'savings', label: t('Token savings') },
];

export function HistoryView({ segments: [requestedTab = ''] }: { segments: string[] }) {
  const isSavings = requestedTab === 'savings';
  return (
    <Page
      title={t('History')}
      lead={
        isSavings
          ? t('Tokens saved, net of the cost of searching.')
          : t('Every call, question and decision. Secrets are redacted.')
      }
    >
      <Tabs view="history" tabs={tabs} current={isSavings ? 'savings' : ''} />
      {isSavings ? <Savings /> : <Activity />}
    </Page>
  );
}
