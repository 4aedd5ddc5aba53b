/** Groups the tools of a server by what an agent's call does: run freely, ask once, or ask every time. */
import { CircleCheck, MoveRight, RotateCcw, ShieldAlert, ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import type { ApprovalNeed, Confirm, ToolSummary } from '../../../shared/model/tool.ts';
import { dotted } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { Section } from '../../components/page.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { hasState } from '../../stores/tools.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import styles from './asks.module.css';

const columns = [
  { asks: 'none', label: t('Runs freely'), icon: CircleCheck, tone: 'good' },
  { asks: 'once', label: t('Asks once'), icon: ShieldQuestion, tone: 'warn' },
  { asks: 'each', label: t('Asks every time'), icon: ShieldAlert, tone: 'bad' },
] as const;

const shownAtFirst = 8;

/** The server's tools that agents can run, by what their calls need; undefined while loading. */
function useAsks(server: string): ReadonlyMap<ApprovalNeed, ToolSummary[]> | undefined {
  const events = ['tools.changed', 'rules.changed', 'config.changed', 'servers.changed'] as const;
  const { data } = useCommand('tools.list', events, { server });
  return (
    data &&
    Map.groupBy(
      data.filter((tool) => hasState(tool, 'enabled')),
      ({ asks }) => asks,
    )
  );
}

/** In one line, as in “3 run freely · 1 asks every time”. */
export function AsksSummary({ server }: { server: string }) {
  const asks = useAsks(server);
  const count = (need: ApprovalNeed) => asks?.get(need)?.length ?? 0;
  const parts = [
    count('none') > 0 &&
      t('{count, plural, one {# tool runs freely} other {# tools run freely}}', { count: count('none') }),
    count('once') > 0 && t('{count, plural, one {# asks once} other {# ask once}}', { count: count('once') }),
    count('each') > 0 &&
      t('{count, plural, one {# asks every time} other {# ask every time}}', { count: count('each') }),
  ];
  return <>{dotted(parts)}</>;
}

/** Three columns of tools; each tool can be moved. Renders nothing for a server without usable tools. */
export function AskColumns({ server }: { server: string }) {
  const asks = useAsks(server);
  if (!asks || asks.size === 0) return null;
  return (
    <Section title={t('When an agent calls')}>
      <div className={styles.columns}>
        {columns.map(({ asks: need, label, icon: Icon, tone }) => {
          const tools = asks.get(need) ?? [];
          return (
            <section key={need} className={styles.column} aria-label={label}>
              <h3>
                <Icon className={`icon ${tone}`} aria-hidden />
                {label}
                <span className="muted">{tools.length}</span>
              </h3>
              <Column tools={tools} />
            </section>
          );
        })}
      </div>
      <p className="muted small">
        {t(
          '“Once” is once for each client. A call to a new destination asks in every column, unless you allowed any destination.',
        )}
      </p>
    </Section>
  );
}

function Column({ tools }: { tools: readonly ToolSummary[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? tools : tools.slice(0, shownAtFirst);
  return (
    <>
      <ul>
        {shown.map((tool) => (
          <li key={tool.key}>
            <a href={hrefOf('tools', tool.server, tool.name)} title={tool.summary}>
              <VisibleText text={tool.name} />
            </a>
            <MoveMenu tool={tool} />
          </li>
        ))}
      </ul>
      {tools.length > shownAtFirst && (
        <button type="button" className="link-button" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('Show less') : t('Show all ({count, number})', { count: tools.length })}
        </button>
      )}
    </>
  );
}

/** Moving a tool sets an override, which takes precedence over every rule. */
function MoveMenu({ tool: { server, name, asks, asksByOverride } }: { tool: ToolSummary }) {
  const { link, toasts } = useStores();
  const set = (confirm: Confirm | null) => link.call('tools.setPolicy', { server, tool: name, confirm });

  async function move(confirm: Confirm | null, done: string): Promise<void> {
    const { override } = await link.call('tools.details', { server, tool: name });
    const isDone = await toasts.attempt(() => set(confirm).then(() => true));
    if (isDone) toasts.undoable(done, () => set(override?.confirm ?? null));
  }
  const free = {
    label: t('Runs freely'),
    icon: CircleCheck,
    onSelect: () => void move('never', t('Agents can now run {tool} without a question.', { tool: name })),
  };
  const each = {
    label: t('Asks every time'),
    icon: ShieldAlert,
    onSelect: () => void move('always', t('{tool} now asks every time.', { tool: name })),
  };
  const usual = {
    label: t('As usual'),
    icon: RotateCcw,
    onSelect: () => void move(null, t('{tool} asks as its rules and safety level say.', { tool: name })),
  };
  const items = [
    ...(asks === 'none' ? [] : [free]),
    ...(asks === 'each' ? [] : [each]),
    ...(asksByOverride ? [usual] : []),
  ];
  return <Menu label={t('Move {tool}', { tool: name })} icon={MoveRight} items={items} />;
}
