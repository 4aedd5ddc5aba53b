/** One tool: description, policy, parameters, a form to try it, and its assessment. */

import { FlagTriangleRight, KeyRound, TimerOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { describeFit } from '../../../shared/client-fit.ts';
import type { Confirm, DestinationsPolicy, ToolView } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { Badge, SafetyBadge } from '../../components/badge.tsx';
import { Select, Switch } from '../../components/controls.tsx';
import { Copyable } from '../../components/copy-block.tsx';
import { DefinitionDiff } from '../../components/definition-diff.tsx';
import { listOf } from '../../components/format.ts';
import { categoryLabels, complexityLabels } from '../../components/labels.ts';
import pageStyles from '../../components/page.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { FailureBox, HeldBox, NoticeBox, Skeleton } from '../../components/states.tsx';
import { FoldableText, Quoted, TextList, VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { describeRule } from '../rules/describe-rule.ts';
import { heldTexts } from './held-texts.ts';
import { ParameterTable } from './parameter-table.tsx';
import styles from './tool-detail.module.css';
import { TryTool } from './try-tool.tsx';

/** `isTrying`: whether the form that runs the tool is open initially. */
export function ToolDetail({ server, name, isTrying }: { server: string; name: string; isTrying: boolean }) {
  const events = ['tools.changed', 'rules.changed'] as const;
  const { data: tool, failure, load } = useCommand('tools.details', events, { server, tool: name });
  if (failure) return <FailureBox failure={failure} onRetry={() => void load()} />;
  if (!tool) return <Skeleton label={t('Loading the tool')} />;
  return <Detail tool={tool} isTrying={isTrying} />;
}

function Detail({ tool, isTrying }: { tool: ToolView; isTrying: boolean }) {
  return (
    <article className={pageStyles.detail}>
      <header className={pageStyles.detailHead}>
        <div>
          <VisibleText as="h2" className={pageStyles.monoTitle} text={tool.name} />
          <p className="muted">
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
          {tool.findings.length > 0 ? (
            <Badge tone="bad" icon={FlagTriangleRight}>
              {t('Suspicious')}
            </Badge>
          ) : (
            !tool.held && <SafetyBadge level={tool.annotations.safetyLevel} />
          )}
          {tool.requiresAuth && <Badge icon={KeyRound}>{t('Needs sign-in')}</Badge>}
          {tool.isDeprecated && (
            <Badge tone="warn" icon={TimerOff}>
              {t('Deprecated')}
            </Badge>
          )}
        </div>
      </header>
      {tool.held && <HeldNotice tool={tool} held={tool.held} />}
      {tool.findings.length > 0 && (
        <NoticeBox
          icon={FlagTriangleRight}
          label={t('Security findings')}
          message={t('This tool’s definition may be trying to mislead agents.')}
        >
          <TextList texts={tool.findings} />
        </NoticeBox>
      )}
      <Policy tool={tool} />
      <Quoted by={t('Description by {server}', { server: tool.server })}>
        {tool.description ? (
          <FoldableText text={tool.description} />
        ) : (
          <span className="muted">{t('No description.')}</span>
        )}
      </Quoted>
      <Section title={t('Parameters')}>
        <ParameterTable schema={tool.inputSchema} />
      </Section>
      <TryTool tool={tool} isTrying={isTrying} />
      <Compatibility server={tool.server} name={tool.name} />
      <Section title={t('Assessment')}>
        <TextList texts={tool.annotations.reasons} className={pageStyles.reasons} />
        <Facts
          facts={[
            [t('Read-only'), yesNo(tool.annotations.readOnlyHint)],
            [t('Destructive'), yesNo(tool.annotations.destructiveHint)],
            [t('Idempotent'), yesNo(tool.annotations.idempotentHint)],
            [t('Open world'), yesNo(tool.annotations.openWorldHint)],
            [t('Version'), tool.version && <VisibleText key="version" text={tool.version} />],
            [t('Server version'), tool.serverVersion && <VisibleText key="server-version" text={tool.serverVersion} />],
            [t('Category'), categoryLabels[tool.category]],
            [t('Complexity'), complexityLabels[tool.complexity]],
            [t('Tags'), listOf(tool.tags)],
            [t('Name for agents'), <Copyable key="shown" text={tool.shownName} label={t('Copy name for agents')} />],
            ...Object.entries(tool.metadata).map(
              ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
            ),
          ]}
        />
      </Section>
      {tool.outputSchema && (
        <Section title={t('Result')}>
          <ParameterTable schema={tool.outputSchema} />
        </Section>
      )}
    </article>
  );
}

const confirmOptions = [
  ['auto', t('When needed')],
  ['always', t('Always')],
  ['new', t('Only for new destinations')],
  ['never', t('Never')],
] as const;

type Asking = (typeof confirmOptions)[number][0];

/** The values of `confirm` and `destinations`, which decide together when the calls of a tool need approval. */
const settingsOf: Record<Asking, [Confirm, DestinationsPolicy | null]> = {
  auto: ['auto', null],
  always: ['always', null],
  new: ['never', 'known'],
  never: ['never', 'any'],
};

function askingOf({ confirm, destinations }: ToolView): Asking {
  return confirm === 'never' && destinations !== 'any' ? 'new' : confirm;
}

/** The tool's policy: whether it is enabled, and whether its calls need approval. */
function Policy({ tool }: { tool: ToolView }) {
  const { link, toasts } = useStores();
  const [isSaving, setSaving] = useState(false);

  async function setPolicy(change: Omit<CommandInput<'tools.setPolicy'>, 'server' | 'tool'>): Promise<void> {
    setSaving(true);
    await toasts.attempt(() => link.call('tools.setPolicy', { server: tool.server, tool: tool.name, ...change }));
    setSaving(false);
  }
  return (
    <div className={`${styles.decisions} card`}>
      <div>
        <Switch
          label={
            !tool.enabled
              ? t('Disabled for agents')
              : tool.held
                ? t('Enabled for agents after you accept it')
                : t('Enabled for agents')
          }
          checked={tool.enabled}
          disabled={isSaving}
          onChange={(enabled) => void setPolicy({ enabled })}
        />
        <div className="field-hint">
          <PolicySource tool={tool} />
          {tool.override && (
            <button
              type="button"
              className="link-button"
              disabled={isSaving}
              onClick={() => void setPolicy({ enabled: null, confirm: null, destinations: null })}
            >
              {t('Reset to rules')}
            </button>
          )}
        </div>
      </div>
      <Select
        label={t('Ask before it runs')}
        value={askingOf(tool)}
        options={confirmOptions}
        disabled={isSaving}
        onChange={(asking) => {
          const [confirm, destinations] = settingsOf[asking as Asking];
          void setPolicy({ confirm, destinations });
        }}
      />
    </div>
  );
}

/** The rule or override that enabled or disabled the tool. */
function PolicySource({ tool }: { tool: ToolView }) {
  const { rules } = useStores();
  const { data: list } = useResource(rules.list);
  if (tool.enabledBy === 'override') return <p>{t('Set by you for this tool.')}</p>;
  if (tool.decidedBy === undefined)
    return (
      <p>
        {list?.some(({ client, active }) => client !== undefined && active)
          ? t('Enabled by default. A rule for one client can still disable it for that client.')
          : t('Enabled by default. No rule applies.')}
      </p>
    );
  const rule = {
    number: tool.decidedBy + 1,
    link: (text: ReactNode) => <a href={hrefOf('rules')}>{text}</a>,
  };
  if (tool.enabledBy === 'allow-list')
    return (
      <p>
        <T
          text="Disabled, because no rule enables it and <link>rule {number}</link> makes the rules an allow-list."
          {...rule}
        />
      </p>
    );
  const decider = list?.[tool.decidedBy];
  return (
    <p>
      {tool.enabled ? (
        <T text="Enabled by <link>rule {number}</link>" {...rule} />
      ) : (
        <T text="Disabled by <link>rule {number}</link>" {...rule} />
      )}
      {decider && (
        <>
          {': '}
          <VisibleText text={describeRule(decider)} />
        </>
      )}
    </p>
  );
}

/** The connected clients that cannot fully use the tool, and why. */
function Compatibility({ server, name }: { server: string; name: string }) {
  const events = ['clients.changed', 'tools.changed', 'core.changed'] as const;
  const { data } = useCommand('tools.compatibility', events, { server, tool: name });
  if (!data || data.length === 0) return null;
  const { summary, limited } = describeFit(data, t);
  return (
    <Section title={t('Clients')}>
      <p>{summary}</p>
      {limited.length > 0 && (
        <ul className={pageStyles.reasons}>
          {limited.map(({ client, verdict, notes }) => (
            <li key={`${client} ${verdict} ${notes.join(' ')}`}>
              <VisibleText as="strong" text={client} />, {verdict}. <VisibleText text={notes.join(' ')} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function HeldNotice({ tool, held }: { tool: ToolView; held: NonNullable<ToolView['held']> }) {
  const { link, toasts } = useStores();
  return (
    <HeldBox
      message={t('Held: agents cannot see or run it until you accept it.')}
      accept={heldTexts[held.reason].accept}
      onAccept={() =>
        void toasts.attempt(
          () => link.call('tools.accept', { server: tool.server, tool: tool.name, fingerprint: held.fingerprint }),
          t('Accepted {name}.', { name: tool.name }),
        )
      }
    >
      <p>{heldTexts[held.reason].why}</p>
      {held.updated && <VisibleText as="p" text={held.updated} />}
      {held.reason === 'changed' && <DefinitionDiff before={held.before} after={held.after} />}
    </HeldBox>
  );
}

const yesNo = (value: boolean): string => (value ? t('yes') : t('no'));
