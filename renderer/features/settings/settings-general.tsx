/** General settings: appearance, clients, history retention, the config file, and where Gatehouse stores its data. */
import { Select, Switch } from '../../components/controls.tsx';
import { count } from '../../components/format.ts';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import settingsStyles from './settings.module.css';
import { AppearanceSettings } from './settings-appearance.tsx';
import { ConfigSection } from './settings-config.tsx';
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
              ['Data folder', <Path key="folder" path={data.dataDir} />],
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
