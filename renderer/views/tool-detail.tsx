/** One tool: what it does, what is thought of it and why, who decided that it is on, and a form to try it. */
import { FlagTriangleRight, Hourglass, KeyRound, TimerOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import { fitWords } from '../../shared/client-fit.ts';
import type { Confirm, ToolView } from '../../shared/model.ts';
import { Badge, SafetyBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Select, Switch } from '../parts/controls.tsx';
import { DefinitionDiff } from '../parts/definition-diff.tsx';
import { Facts, Section } from '../parts/page.tsx';
import { ParameterTable } from '../parts/parameter-table.tsx';
import { ruleSummary } from '../parts/rule-words.ts';
import { FoldableText, Quoted, VisibleText } from '../parts/server-text.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { createResource, useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { TryTool } from './try-tool.tsx';

export function ToolDetail({ server, name }: { server: string; name: string }) {
  const { link } = useStores();
  const resource = useMemo(
    () =>
      createResource(link, () => link.call('tools.details', { server, tool: name }), [
        'tools.changed',
        'rules.changed',
      ]),
    [link, server, name],
  );
  const { data: tool, failure } = useResource(resource);
  if (failure) return <FailureBox failure={failure} onRetry={() => void resource.load()} />;
  if (!tool) return <Skeleton label="the tool" />;
  return <Detail tool={tool} />;
}

function Detail({ tool }: { tool: ToolView }) {
  return (
    <article className="detail">
      <header className="detail-head">
        <div>
          <h2 className="mono-title">
            <VisibleText text={tool.name} />
          </h2>
          <p className="detail-sub">
            {tool.title !== tool.name && (
              <span>
                <VisibleText text={tool.title} /> ·{' '}
              </span>
            )}
            <a href={hrefOf('servers', tool.server)}>
              <VisibleText text={tool.server} />
            </a>
          </p>
        </div>
        <div className="badges">
          <SafetyBadge level={tool.annotations.safetyLevel} />
          {tool.requiresAuth && <Badge icon={KeyRound}>Needs sign-in</Badge>}
          {tool.isDeprecated && (
            <Badge tone="warn" icon={TimerOff}>
              Deprecated
            </Badge>
          )}
        </div>
      </header>
      {tool.held && <Held tool={tool} held={tool.held} />}
      {tool.findings.length > 0 && (
        <section className="failure" aria-label="Suspicious signs">
          <FlagTriangleRight className="icon" aria-hidden />
          <div className="failure-text">
            <p className="failure-message">This tool’s definition has signs of an attempt to mislead an agent.</p>
            <ul>
              {tool.findings.map((finding) => (
                <li key={finding}>
                  <VisibleText text={finding} />
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
      <Decisions tool={tool} />
      <Quoted by={`${tool.server} says about it`}>
        {tool.description ? <FoldableText text={tool.description} /> : <span className="muted">No description.</span>}
      </Quoted>
      <Section title="Parameters">
        <ParameterTable schema={tool.inputSchema} />
      </Section>
      <TryTool tool={tool} />
      <Clients server={tool.server} name={tool.name} />
      <Section title="Assessment">
        <ul className="reasons">
          {tool.annotations.reasons.map((reason) => (
            <li key={reason}>
              <VisibleText text={reason} />
            </li>
          ))}
        </ul>
        <Facts
          facts={[
            ['Reads only', yesNo(tool.annotations.readOnlyHint)],
            ['Can destroy', yesNo(tool.annotations.destructiveHint)],
            ['Safe to repeat', yesNo(tool.annotations.idempotentHint)],
            ['Reaches outside', yesNo(tool.annotations.openWorldHint)],
            ['Version', tool.version && <VisibleText key="version" text={tool.version} />],
            ['Server version', tool.serverVersion && <VisibleText key="server-version" text={tool.serverVersion} />],
            ['Category', tool.category.replace('-', ' ')],
            ['Complexity', tool.complexity],
            ['Tags', tool.tags.join(', ')],
            ['Agents see it as', <code key="shown">{tool.shownName}</code>],
            ...Object.entries(tool.metadata).map(
              ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
            ),
          ]}
        />
      </Section>
      {tool.outputSchema && (
        <Section title="Result">
          <ParameterTable schema={tool.outputSchema} />
        </Section>
      )}
    </article>
  );
}

const confirmOptions = [
  ['auto', 'Only if dangerous'],
  ['always', 'Always'],
  ['never', 'Never'],
] as const;

/** On or off and "ask before": each change becomes a rule of the person's own. */
function Decisions({ tool }: { tool: ToolView }) {
  const { rules, notices } = useStores();
  const { data: list } = useResource(rules.list);
  const [isBusy, setBusy] = useState(false);
  const decider = tool.decidedBy === undefined ? undefined : list?.[tool.decidedBy];

  async function decide(change: { enabled?: boolean; confirm?: Confirm }): Promise<void> {
    setBusy(true);
    await notices.attempt(() => rules.setForTool(tool.server, tool.name, change));
    setBusy(false);
  }
  return (
    <div className="decisions">
      <div>
        <Switch
          label={tool.enabled ? 'Agents can use it' : 'Switched off for agents'}
          checked={tool.enabled}
          disabled={isBusy}
          onChange={(enabled) => void decide({ enabled })}
        />
        <p className="field-hint">
          {tool.decidedBy === undefined ? (
            'No rule speaks about it, so it is on.'
          ) : (
            <>
              Decided by <a href={hrefOf('rules')}>rule {tool.decidedBy + 1}</a>
              {decider && (
                <>
                  {': '}
                  <VisibleText text={ruleSummary(decider)} />
                </>
              )}
            </>
          )}
        </p>
      </div>
      <Select
        label="Ask me before it runs"
        value={tool.confirm}
        options={confirmOptions}
        disabled={isBusy}
        onChange={(confirm) => void decide({ confirm: confirm as Confirm })}
      />
    </div>
  );
}

/** Which of the connected clients cannot use it fully, and why. */
function Clients({ server, name }: { server: string; name: string }) {
  const { link } = useStores();
  const resource = useMemo(
    () =>
      createResource(link, () => link.call('tools.compatibility', { server, tool: name }), [
        'clients.changed',
        'tools.changed',
        'core.changed',
      ]),
    [link, server, name],
  );
  const { data } = useResource(resource);
  if (!data || data.length === 0) return null;
  const { summary, troubled } = fitWords(data);
  return (
    <Section title="Clients">
      <p>{summary}</p>
      {troubled.length > 0 && (
        <ul className="reasons">
          {troubled.map(({ client, verdict, notes }) => (
            <li key={`${client} ${verdict} ${notes.join(' ')}`}>
              <strong>
                <VisibleText text={client} />
              </strong>
              , {verdict}. <VisibleText text={notes.join(' ')} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Held({ tool, held }: { tool: ToolView; held: NonNullable<ToolView['held']> }) {
  const { link, notices } = useStores();
  return (
    <section className="failure failure-warn" aria-label="Held back">
      <Hourglass className="icon" aria-hidden />
      <div className="failure-text">
        <p className="failure-message">Held back: it changed since you accepted it.</p>
        <p>Agents cannot run it until you accept the change. Read what is different first.</p>
        {held.updated && (
          <p>
            <VisibleText text={held.updated} />
          </p>
        )}
        <DefinitionDiff before={held.before} after={held.after} />
        <Button
          onClick={() =>
            void notices.attempt(
              () => link.call('tools.accept', { server: tool.server, tool: tool.name }),
              `The change of ${tool.name} was accepted.`,
            )
          }
        >
          Accept the change
        </Button>
      </div>
    </section>
  );
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
