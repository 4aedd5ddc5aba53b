/** General settings: appearance, clients, history retention, the config file, and where Gatehouse stores its data. */
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Select, Switch } from '../../components/controls.tsx';
import { count, duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { FailureBox } from '../../components/states.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import settingsStyles from './settings.module.css';
import { AppearanceSettings } from './settings-appearance.tsx';
import { Updates } from './settings-updates.tsx';
import { stepOptions, useSettings } from './use-settings.ts';

export function GeneralSettings() {
  const { status, config } = useStores();
  const hasProblems = (useResource(config).data?.validation.problems.length ?? 0) > 0;
  const { data } = useResource(status);
  return (
    <>
      {hasProblems && <ConfigSection />}
      <AppearanceSettings />
      <ClientSettings />
      <Retention />
      {!hasProblems && <ConfigSection />}
      <Updates />
      {data && (
        <Section title="About">
          <Facts
            facts={[
              ['Version', data.version],
              ['Servers', count(data.servers, 'server')],
              ['Tools', `${data.enabledTools.toLocaleString('en')} of ${count(data.tools, 'tool')} enabled`],
              ['Data folder', <code key="folder">{data.dataDir}</code>],
              ['HTTP URL', data.http && <code key="http">{data.http.url}</code>],
            ]}
          />
        </Section>
      )}
    </>
  );
}

const resultLengths = [10_000, 25_000, 50_000, 100_000];

function ClientSettings() {
  const { data, save } = useSettings();
  if (!data) return null;
  return (
    <Section title="Clients">
      <div className={settingsStyles.setting}>
        <Select
          label="Long results"
          value={String(data.maxResultCharacters)}
          options={[
            ['0', 'Send in full'],
            ...stepOptions(
              resultLengths,
              data.maxResultCharacters,
              (length) => `Send in pages of ${count(length, 'character')}`,
            ),
          ]}
          onChange={(value) => save({ maxResultCharacters: Number(value) })}
        />
        <p className="field-hint">
          With pages, an agent gets the first page and can request the next one. Clients that handle long results
          themselves, such as Claude Code, always get the full result.
        </p>
      </div>
      <div className={settingsStyles.setting}>
        <Switch label="Allow clients to connect over HTTP" checked={data.http} onChange={(http) => save({ http })} />
        <p className="field-hint">From this computer only, with a token. Most clients do not need it.</p>
      </div>
    </Section>
  );
}

const retentionMonths = [1, 3, 6, 12, 24];
const resultDays = [1, 7, 30];

function Retention() {
  const { data, save } = useSettings();
  if (!data) return null;
  return (
    <Section title="History">
      <div className={settingsStyles.setting}>
        <Select
          label="Keep history"
          value={String(data.historyMonths)}
          options={[
            ...stepOptions(retentionMonths, data.historyMonths, (months) =>
              months === 12 ? '1 year' : count(months, 'month'),
            ),
            ['0', 'Forever'],
          ]}
          onChange={(value) => save({ historyMonths: Number(value) })}
        />
        <p className="field-hint">
          {data.historyMonths > 0 && 'Older entries are deleted. '}Secrets in arguments are redacted.
        </p>
      </div>
      <div className={settingsStyles.setting}>
        <Select
          label="Keep results of calls"
          value={String(data.resultDays)}
          options={[
            ['0', 'Until Gatehouse quits'],
            ...stepOptions(resultDays, data.resultDays, (days) => count(days, 'day')),
          ]}
          onChange={(value) => save({ resultDays: Number(value) })}
        />
        <p className="field-hint">
          {data.resultDays > 0
            ? 'On this computer’s disk, with secrets redacted and without pictures.'
            : 'The newest results, in memory only.'}
        </p>
      </div>
    </Section>
  );
}

function ConfigSection() {
  const { config, link, toasts } = useStores();
  const { data, failure } = useResource(config);
  const [isReloading, setReloading] = useState(false);

  async function reload(): Promise<void> {
    setReloading(true);
    const diff = await toasts.attempt(() => link.call('config.reload'));
    setReloading(false);
    if (!diff) return;
    const total = diff.added.length + diff.removed.length + diff.changed.length;
    toasts.success(
      total === 0
        ? 'Reloaded. No changes.'
        : `Reloaded: ${diff.added.length} added, ${diff.removed.length} removed, ${diff.changed.length} changed.`,
    );
    await config.load();
  }
  return (
    <Section
      title="Config file"
      aside={
        <Button icon={RefreshCw} busy={isReloading} onClick={() => void reload()}>
          Reload
        </Button>
      }
    >
      {failure && !data && <FailureBox failure={failure} onRetry={() => void config.load()} />}
      {data?.validation.problems.map((problem) => (
        <FailureBox key={`${problem.path}${problem.message}`} failure={problem} />
      ))}
      {data?.validation.warnings.map((warning) => (
        <p key={warning} className={noteStyles.note}>
          {warning}
        </p>
      ))}
      {data && (
        <Facts
          facts={[
            ['File', data.shown.file ? <code key="file">{data.shown.file}</code> : 'none (built-in defaults)'],
            ['Rules in the file', String(data.shown.rules.length)],
            [
              'Catalog cache',
              data.shown.cache.enabled ? `enabled, ${duration(data.shown.cache.ttl * 1000)}` : 'disabled',
            ],
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
