/** How Gatehouse is doing, where it keeps things, standing approvals, and the few choices there are. */
import { Pause, Play, RefreshCw, ShieldOff } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { conditionWords } from '../parts/condition-words.ts';
import { Segments, Switch } from '../parts/controls.tsx';
import { clock, count, duration } from '../parts/format.ts';
import { Facts, Page, Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { StatusTable } from '../parts/status-table.tsx';
import type { Theme } from '../stores/choices.ts';
import { createResource, useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

export function SettingsView() {
  const { status, link, notices, choices } = useStores();
  const { data, failure } = useResource(status);
  const { theme, technical } = useStore(choices.state);
  const now = useNow();
  return (
    <Page
      title="Settings"
      lead={data && `Gatehouse ${data.version}, running for ${duration(now - data.startedAt)}`}
      actions={
        data && (
          <Button
            icon={data.paused ? Play : Pause}
            look={data.paused ? 'primary' : 'plain'}
            onClick={() => void notices.attempt(() => link.call('core.pause', { paused: !data.paused }))}
          >
            {data.paused ? 'Resume' : 'Pause all tools'}
          </Button>
        )
      }
    >
      {failure && !data && <FailureBox failure={failure} onRetry={() => void status.load()} />}
      {!data && !failure && <Skeleton label="status" />}
      <Section title="Appearance">
        <Segments
          label="Colours"
          value={theme}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={(next) => choices.set({ theme: next as Theme })}
        />
      </Section>
      <Section
        title="Status"
        aside={
          <Switch label="Technical details" checked={technical} onChange={(next) => choices.set({ technical: next })} />
        }
      >
        <StatusTable technical={technical} now={now} />
      </Section>
      <Grants />
      {data && (
        <Section title="About">
          <Facts
            facts={[
              ['Servers', count(data.servers, 'server')],
              ['Tools', `${data.enabledTools.toLocaleString('en')} of ${count(data.tools, 'tool')} on`],
              ['Data folder', <code key="folder">{data.dataDir}</code>],
              ['HTTP address', data.http && <code key="http">{data.http.url}</code>],
              ['HTTP token file', data.http && <code key="token">{data.http.tokenFile}</code>],
            ]}
          />
        </Section>
      )}
      <ConfigSection />
    </Page>
  );
}

function Grants() {
  const { link, notices } = useStores();
  const resource = useMemo(
    () => createResource(link, () => link.call('grants.list'), ['calls.recorded', 'core.changed']),
    [link],
  );
  const { data, failure } = useResource(resource);
  return (
    <Section title="Standing approvals">
      {failure && <FailureBox failure={failure} />}
      {data?.length === 0 && (
        <p className="muted">
          None. When you answer “15 minutes” or “Always” to a question, it is listed here and can be taken back.
        </p>
      )}
      {data && data.length > 0 && (
        <ul className="rows rows-card">
          {data.map((grant) => (
            <li key={grant.id} className="row row-still">
              <span className="row-main">
                <span className="row-title">
                  <VisibleText text={grant.tool} />
                </span>
                <span className="row-sub">
                  <VisibleText text={grant.server} /> · for <VisibleText text={grant.client} /> ·{' '}
                  {grant.conditions.map((condition) => (
                    <VisibleText key={conditionWords(condition)} text={`only if ${conditionWords(condition)} · `} />
                  ))}
                  {grant.expiresAt
                    ? `until ${clock(grant.expiresAt)}`
                    : grant.scope === 'session'
                      ? 'until its client disconnects'
                      : 'always'}{' '}
                  · since {clock(grant.grantedAt)}
                </span>
              </span>
              <Button
                icon={ShieldOff}
                aria-label={`Take back the approval of ${grant.tool}`}
                onClick={() =>
                  void notices.attempt(
                    () => link.call('grants.revoke', { id: grant.id }).then(() => resource.load()),
                    `${grant.tool} asks again.`,
                  )
                }
              >
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function ConfigSection() {
  const { config, link, notices } = useStores();
  const { data, failure } = useResource(config);
  const [isReloading, setReloading] = useState(false);

  async function reload(): Promise<void> {
    setReloading(true);
    const diff = await notices.attempt(() => link.call('config.reload'));
    setReloading(false);
    if (!diff) return;
    const total = diff.added.length + diff.removed.length + diff.changed.length;
    notices.good(
      total === 0
        ? 'Read again; nothing changed.'
        : `Read again: ${diff.added.length} added, ${diff.removed.length} removed, ${diff.changed.length} changed.`,
    );
    await config.load();
  }
  return (
    <Section
      title="Config file"
      aside={
        <Button icon={RefreshCw} busy={isReloading} onClick={() => void reload()}>
          Read again
        </Button>
      }
    >
      {failure && !data && <FailureBox failure={failure} onRetry={() => void config.load()} />}
      {data?.validation.problems.map((problem) => (
        <FailureBox key={`${problem.path}${problem.message}`} failure={problem} />
      ))}
      {data?.validation.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
      {data && (
        <Facts
          facts={[
            [
              'File',
              data.shown.file ? <code key="file">{data.shown.file}</code> : 'none; built-in defaults are in force',
            ],
            ['Rules in it', String(data.shown.rules.length)],
            ['Catalog cache', data.shown.cache.enabled ? `on, ${duration(data.shown.cache.ttl * 1000)}` : 'off'],
            ...data.shown.sources.map(
              (source) =>
                [
                  `Source: ${source.type}`,
                  `${source.path} (${source.found ? count(source.servers, 'server') : 'not found'})`,
                ] as const,
            ),
          ]}
        />
      )}
    </Section>
  );
}

/** The present time, moving on every ten seconds. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
