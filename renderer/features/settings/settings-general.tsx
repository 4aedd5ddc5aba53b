/** General settings: appearance, clients, history retention, the config file, and where Toolkeep stores its data. */
import { Select, Switch } from '../../components/controls.tsx';
import { Section } from '../../components/page.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import settingsStyles from './settings.module.css';
import { AboutSettings } from './settings-about.tsx';
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
      {data && <AboutSettings status={data} />}
    </>
  );
}

const resultLengths = [10_000, 25_000, 50_000, 100_000];

function ClientSettings() {
  const { data, save } = useSettings();
  if (!data) return null;
  return (
    <Section title={t('Clients')}>
      <div className={settingsStyles.setting}>
        <Select
          label={t('Long results')}
          value={String(data.maxResultCharacters)}
          options={[
            ['0', t('Send in full')],
            ...stepOptions(resultLengths, data.maxResultCharacters, (length) =>
              t('Send in pages of {count, plural, one {# character} other {# characters}}', { count: length }),
            ),
          ]}
          hint={t(
            'With pages, an agent gets the first page and can request the next one. Clients that handle long results themselves, such as Claude Code, always get the full result.',
          )}
          onChange={(value) => save({ maxResultCharacters: Number(value) })}
        />
      </div>
      <div className={settingsStyles.setting}>
        <Switch
          label={t('Allow clients to connect over HTTP')}
          checked={data.http}
          onChange={(http) => save({ http })}
        />
        <p className="field-hint">{t('From this computer only, with a token. Most clients do not need it.')}</p>
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
    <Section title={t('History')}>
      <div className={settingsStyles.setting}>
        <Select
          label={t('Keep history')}
          value={String(data.historyMonths)}
          options={[
            ...stepOptions(retentionMonths, data.historyMonths, (months) =>
              months === 12 ? t('1 year') : t('{count, plural, one {# month} other {# months}}', { count: months }),
            ),
            ['0', t('Forever')],
          ]}
          hint={
            <>
              {data.historyMonths > 0 && <>{t('Older entries are deleted.')} </>}
              {t('Secrets in arguments are redacted.')}
            </>
          }
          onChange={(value) => save({ historyMonths: Number(value) })}
        />
      </div>
      <div className={settingsStyles.setting}>
        <Select
          label={t('Keep call results')}
          value={String(data.resultDays)}
          options={[
            ['0', t('Until Toolkeep quits')],
            ...stepOptions(resultDays, data.resultDays, (days) =>
              t('{count, plural, one {# day} other {# days}}', { count: days }),
            ),
          ]}
          hint={
            data.resultDays > 0
              ? t('On this computer’s disk, with secrets redacted and without images and audio.')
              : t('The newest results, in memory only.')
          }
          onChange={(value) => save({ resultDays: Number(value) })}
        />
      </div>
    </Section>
  );
}
