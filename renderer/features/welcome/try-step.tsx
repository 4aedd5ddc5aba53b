/** Step 4: the first call, shown live. */
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import { Button } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { ClientName, useClientName } from '../../components/client-name.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { allOf, listOf, someOf } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { hasState } from '../../stores/tools.ts';
import { T, t } from '../../text.tsx';
import { StepPage } from './step-page.tsx';
import styles from './welcome.module.css';

/** A tool of the server that only reads, preferably one that lists something, because it needs the fewest arguments. */
function useSafeTool(server: string | undefined): ToolSummary | undefined {
  const { link } = useStores();
  const [tool, setTool] = useState<ToolSummary>();
  useEffect(() => {
    if (server === undefined) return;
    link.call('tools.list', { server }).then(
      (tools) => {
        const safe = tools.filter((tool) => hasState(tool, 'enabled') && tool.safetyLevel === 'safe');
        setTool(safe.find(({ name }) => name.includes('list')) ?? safe[0]);
      },
      // A lost connection has its own banner, and the prompt works without a tool.
      () => undefined,
    );
  }, [link, server]);
  return tool;
}

/** The name of a tool as a task, such as "list allowed directories"; undefined unless it starts like one. */
function taskOf({ name }: ToolSummary): string | undefined {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[^a-z0-9]+/gi, ' ');
  return /^(?:list|get|read|search|find|show) .{1,60}$/i.test(words.trim()) ? words.trim().toLowerCase() : undefined;
}

/** The servers in the files of clients that are connected to Toolkeep: the clients still run them directly. */
function useOwnServers(connected: readonly string[]): string[] {
  const { imports, link } = useStores();
  const plan = useStore(imports.state, (state) => state.plan);
  useEffect(() => link.onOpen(() => void imports.load()), [imports, link]);
  const entries = plan?.entries.filter(({ state }) => state !== 'self') ?? [];
  const own = entries.filter(({ origins }) => origins.some(({ source }) => connected.includes(source)));
  return [...new Set(own.map(({ server }) => server.name))];
}

export function TryStep({ onDone }: { onDone(next: 'home' | 'tools'): void }) {
  const { installs, servers, status, recentRecords } = useStores();
  const [openedAt] = useState(Date.now);
  const records = useResource(recentRecords).data ?? [];
  const first = records.findLast(({ kind, at }) => kind === 'call' && at >= openedAt);
  const known = useResource(servers).data ?? [];
  const connected = useResource(status).data?.clients ?? [];
  const installed = (useResource(installs).data ?? []).filter(({ state }) => state === 'installed');
  const waiting = installed.filter(({ connectedAt }) => connectedAt === undefined);
  const ownServers = useOwnServers(installed.map(({ client: id }) => id));
  const example = known.find(({ toolCount, status: now }) => toolCount > 0 && now !== 'disabled');
  const tool = useSafeTool(example?.id);
  const task = tool && taskOf(tool);
  const prompt =
    example && task !== undefined
      ? t('Use Toolkeep to {task} with {server}, and tell me the result.', { task, server: example.id })
      : t('Use Toolkeep to list my MCP servers.');
  const nameOf = useClientName();
  const client = connected.map(({ name }) => nameOf(name))[0] ?? waiting[0]?.app ?? t('your client');
  return (
    <StepPage
      title={t('Try it')}
      lead={t('Ask your agent to do something and watch the call arrive here.')}
      actions={
        <>
          <Button look={first ? 'primary' : 'plain'} onClick={() => onDone('home')}>
            {first ? t('Finish') : t('Finish without a call')}
          </Button>
          <Button look="quiet" onClick={() => onDone('tools')}>
            {t('Try a tool here instead')}
          </Button>
        </>
      }
    >
      {waiting.length > 0 && !first && (
        <p>
          {t('Restart {apps} first so that {count, plural, one {it reads} other {they read}} the change.', {
            apps: allOf(waiting.map(({ app }) => app)),
            count: waiting.length,
          })}
        </p>
      )}
      {connected.length === 0 && waiting.length === 0 && (
        <p>
          <T
            text="No client is connected yet. <link>Connect one</link>, then ask it:"
            link={(text) => <a href={hrefOf('clients')}>{text}</a>}
          />
        </p>
      )}
      {ownServers.length > 0 && (
        <p>
          <T
            text="{count, plural, one {{names} is still in your clients’ files. They run it without Toolkeep’s approvals.} other {{names} are still in your clients’ files. They run them without Toolkeep’s approvals.}}"
            names={<VisibleText text={someOf(ownServers)} />}
            count={ownServers.length}
          />
        </p>
      )}
      <div>
        <p>{t('Ask {client}:', { client })}</p>
        <div className={`${styles.prompt} card`}>
          <p>{prompt}</p>
          <CopyButton text={prompt} label={t('Copy prompt')} />
        </div>
      </div>
      <div className={`${styles.seen} card`} data-seen={first ? true : undefined} role="status">
        {first ? (
          <>
            <CircleCheck className="icon good" aria-hidden />
            <ClientLogo name={nameOf(first.client)} />
            <p>
              <T
                text="<b>{client}</b> ran <b>{tool}</b> on {server}: {outcome}"
                b={(text) => <strong>{text}</strong>}
                client={<ClientName name={first.client} />}
                tool={<VisibleText text={first.tool} />}
                server={<VisibleText text={first.server} />}
                outcome={outcomeLabel(first, t)}
              />
            </p>
          </>
        ) : (
          <>
            <LoaderCircle className="icon spin" aria-hidden />
            <p>
              {connected.length > 0
                ? t('{names} connected. Waiting for the first call…', {
                    names: listOf(connected.map(({ name }) => nameOf(name))),
                  })
                : t('Waiting for a client to connect…')}
            </p>
          </>
        )}
      </div>
      {first && <p>{t('Home shows the latest calls and everything that needs your attention.')}</p>}
    </StepPage>
  );
}
