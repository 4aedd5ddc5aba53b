/** The history: calls, questions and decisions, and the tokens saved. */
import { Page } from '../../components/page.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { Activity } from './activity.tsx';
import { Savings } from './savings.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: 'Activity' },
  { id: 'savings', label: 'Token savings' },
];

export function HistoryView({ segments: [requestedTab = ''] }: { segments: string[] }) {
  const isSavings = requestedTab === 'savings';
  return (
    <Page
      title="History"
      lead={
        isSavings
          ? 'Tokens saved, net of the cost of searching.'
          : 'Every call, question and decision. Secrets are redacted.'
      }
    >
      <Tabs view="history" tabs={tabs} current={isSavings ? 'savings' : ''} />
      {isSavings ? <Savings /> : <Activity />}
    </Page>
  );
}
