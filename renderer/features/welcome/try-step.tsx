/** Step 4: the first call, shown live. */
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import { Button } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { ClientName, useClientName } from '../../components/client-name.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { StepPage } from './step-page.tsx';
import styles from './welcome.module.css';

export function TryStep({ onDone }: { onDone(next: 'home' | 'tools'): void }) {
  const { installs, servers, status, recentRecords } = useStores();
  const [openedAt] = useState(Date.now);
  const records = useResource(recentRecords).data ?? [];
  const first = records.findLast(({ kind, at }) => kind === 'call' && at >= openedAt);
  const list = useResource(servers).data ?? [];
  const connected = useResource(status).data?.clients ?? [];
  const waiting = (useResource(installs).data ?? []).filter(
    ({ state, connectedAt }) => state === 'installed' && connectedAt === undefined,
  );
  const example = list.find(({ toolCount, status: now }) => toolCount > 0 && now !== 'disabled');
  const prompt = example
    ? `Use Gatehouse to find a read-only tool of the server “${example.id}”, run it, and tell me the result.`
    : 'Use Gatehouse to list my MCP servers.';
  const nameOf = useClientName();
  const client = connected.map(({ name }) => nameOf(name))[0] ?? waiting[0]?.app ?? 'your client';
  return (
    <StepPage
      title="Try it"
      lead="Ask your agent to do something, and watch the call arrive here."
      actions={
        <>
          <Button look={first ? 'primary' : 'plain'} onClick={() => onDone('home')}>
            {first ? 'Finish' : 'Finish without a call'}
          </Button>
          <Button look="quiet" onClick={() => onDone('tools')}>
            Try a tool here instead
          </Button>
        </>
      }
    >
      {waiting.length > 0 && (
        <p>
          Restart {waiting.map(({ app }) => app).join(', ')} first, so that{' '}
          {waiting.length === 1 ? 'it reads' : 'they read'} the change.
        </p>
      )}
      {connected.length === 0 && waiting.length === 0 && (
        <p>
          No client is connected yet. <a href={hrefOf('clients')}>Connect one</a>, then ask it:
        </p>
      )}
      <div>
        <p>Ask {client}:</p>
        <div className={styles.prompt}>
          <p>{prompt}</p>
          <CopyButton text={prompt} label="the prompt" />
        </div>
      </div>
      <div className={styles.seen} data-seen={first ? true : undefined} role="status">
        {first ? (
          <>
            <CircleCheck className="icon" aria-hidden />
            <ClientLogo name={nameOf(first.client)} />
            <p>
              <strong>
                <ClientName name={first.client} />
              </strong>{' '}
              ran{' '}
              <strong>
                <VisibleText text={first.tool} />
              </strong>{' '}
              of <VisibleText text={first.server} />: {outcomeLabel(first)}
            </p>
          </>
        ) : (
          <>
            <LoaderCircle className="icon spin" aria-hidden />
            <p>
              {connected.length > 0
                ? `${connected.map(({ name }) => nameOf(name)).join(', ')} connected. Waiting for the first call…`
                : 'Waiting for a client to connect…'}
            </p>
          </>
        )}
      </div>
      {first && <p>Gatehouse keeps running in the background. Home shows every call, and what needs you.</p>}
    </StepPage>
  );
}
