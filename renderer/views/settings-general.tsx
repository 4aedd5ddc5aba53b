/** Appearance, what apps get and how they connect, how long the history is kept, the config file, and where Gatehouse keeps things. */
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { Segments, Select, Switch } from '../parts/controls.tsx';
import { count, duration } from '../parts/format.ts';
import { Facts, Section } from '../parts/page.tsx';
import { FailureBox } from '../parts/states.tsx';
import type { Theme } from '../stores/choices.ts';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';
import { stepsWith, useSettings } from './use-settings.ts';

export function GeneralSettings() {
  const { status, choices } = useStores();
  const { data } = useResource(status);
  const { theme } = useStore(choices.state);
  return (
    <>
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
      <Apps />
      <Retention />
      <ConfigSection />
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
    </>
  );
}

const partLengths = [10_000, 25_000, 50_000, 100_000];

function Apps() {
  const { data, save } = useSettings();
  if (!data) return null;
  return (
    <Section title="Apps">
      <div className="setting">
        <Select
          label="When a tool’s answer is long"
          value={String(data.partLength)}
          options={[
            ['0', 'Give it whole'],
            ...stepsWith(partLengths, data.partLength, (length) => `In parts of ${count(length, 'character')}`),
          ]}
          onChange={(value) => save({ partLength: Number(value) })}
        />
        <p className="field-hint">
          In parts, an agent gets the first and reads on when it needs more. Apps that cut long text well themselves,
          such as Claude Code, get it whole.
        </p>
      </div>
      <div className="setting">
        <Switch label="Apps may connect over HTTP" checked={data.http} onChange={(http) => save({ http })} />
        <p className="field-hint">From this machine only, with a token. Most apps do not need it.</p>
      </div>
    </Section>
  );
}

const keptFor = [1, 3, 6, 12, 24];

function Retention() {
  const { data, save } = useSettings();
  if (!data) return null;
  return (
    <Section title="History">
      <div className="setting">
        <Select
          label="Keep it"
          value={String(data.historyMonths)}
          options={[
            ...stepsWith(keptFor, data.historyMonths, (months) => (months === 12 ? '1 year' : count(months, 'month'))),
            ['0', 'Forever'],
          ]}
          onChange={(value) => save({ historyMonths: Number(value) })}
        />
        <p className="field-hint">
          {data.historyMonths > 0 && 'What is older is deleted. '}Arguments are kept with their secrets masked.
        </p>
      </div>
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
