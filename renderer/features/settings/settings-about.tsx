/** The version, how Toolkeep runs on this computer, and the checks of the last smoke run. */
import type { Installation } from '../../../shared/model/installation.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';

const labels: Record<Installation['facts'][number]['name'], string> = {
  binary: t('Binary'),
  session: t('Session'),
  sandbox: t('Sandbox'),
  secrets: t('Secrets'),
  tray: t('Tray'),
  updates: t('Updates'),
};

export function AboutSettings({ status }: { status: CommandOutput<'core.status'> }) {
  // Without an answer, the section shows only the status.
  const { data: installation } = useCommand('core.installation', []);
  const facts = installation?.facts ?? [];
  return (
    <>
      <Section title={t('About')}>
        <Facts
          facts={[
            [t('Version'), status.version],
            [t('Servers'), t('{count, plural, one {# server} other {# servers}}', { count: status.servers })],
            [
              t('Tools'),
              t('{enabled, number} of {count, plural, one {# tool} other {# tools}} enabled', {
                enabled: status.enabledTools,
                count: status.tools,
              }),
            ],
            [t('Data folder'), <Path key="folder" path={status.dataDir} />],
            [t('HTTP URL'), status.http && <code key="http">{status.http.url}</code>],
            ...facts.map(({ name, value }) => [labels[name], value] as const),
          ]}
        />
      </Section>
      {installation?.smoke && <SmokeRun report={installation.smoke} />}
    </>
  );
}

function SmokeRun({ report }: { report: NonNullable<Installation['smoke']> }) {
  const { results } = report;
  const failed = results.filter(({ result }) => result === 'failed').length;
  return (
    <Section title={t('Smoke run')}>
      <p className="field-hint">
        {t('{passed, plural, one {# check} other {# checks}} passed, {failed, number} failed.', {
          passed: results.length - failed,
          failed,
        })}
      </p>
      <Facts
        facts={[
          ...results.map(
            ({ name, result, detail }) =>
              [
                name,
                result === 'passed' ? (
                  t('Passed')
                ) : (
                  <VisibleText key={name} text={t('Failed: {detail}', { detail: String(detail) })} />
                ),
              ] as const,
          ),
          ...report.notRun.map(({ name }) => [name, t('Not checked')] as const),
        ]}
      />
    </Section>
  );
}
