/** The config file: its problems, how to fix them, and its contents. */
import { Download, FileWarning, RefreshCw } from 'lucide-react';
import type { Failure } from '../../../shared/failure.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { configSummary } from '../../components/config-summary.ts';
import { CopyButton } from '../../components/copy-block.tsx';
import { duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { saveFile } from '../../components/save-file.ts';
import { FailureBox, NoticeBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import settingsStyles from './settings.module.css';

export function ConfigSection() {
  const { config, link, toasts } = useStores();
  const { data, failure } = useResource(config);

  async function reload(): Promise<void> {
    const diff = await link.call('config.reload');
    const total = diff.added.length + diff.removed.length + diff.changed.length;
    toasts.success(
      total === 0
        ? t('Reloaded. No changes.')
        : t('Reloaded: {added, number} added, {removed, number} removed, {changed, number} changed.', {
            added: diff.added.length,
            removed: diff.removed.length,
            changed: diff.changed.length,
          }),
    );
    await config.load();
  }
  async function exportSetup(): Promise<void> {
    const setup = await toasts.attempt(() => link.call('setup.export'));
    if (!setup) return;
    saveFile('toolkeep-setup.json', 'application/json', `${JSON.stringify(setup, null, 2)}\n`);
    toasts.success(t('Exported the setup.'));
  }
  return (
    <Section
      title={t('Config file')}
      aside={
        <ActionButton icon={RefreshCw} run={reload}>
          {t('Reload')}
        </ActionButton>
      }
    >
      {failure && !data && <FailureBox failure={failure} onRetry={() => void config.load()} />}
      {data && <ConfigProblems validation={data.validation} />}
      {data?.validation.warnings.map((warning) => (
        <p key={warning} className={noteStyles.note}>
          {warning}
        </p>
      ))}
      {data && (
        <Facts
          facts={[
            [t('File'), data.shown.file ? <Path key="file" path={data.shown.file} /> : t('none (built-in defaults)')],
            [t('Rules in the file'), String(data.shown.rules.filter(({ origin }) => origin === 'config').length)],
            [
              t('Catalog cache'),
              data.shown.cache.enabled
                ? t('enabled, {duration}', { duration: duration(data.shown.cache.ttl * 1000) })
                : t('disabled'),
            ],
            ...data.shown.sources.map(
              (source) =>
                [
                  source.origin
                    ? t('Source of the trusted folder: {type}', { type: source.type })
                    : t('Source: {type}', { type: source.type }),
                  source.found
                    ? t('{path} ({count, plural, one {# server} other {# servers}})', {
                        path: source.path,
                        count: source.servers,
                      })
                    : t('{path} (not found)', { path: source.path }),
                ] as const,
            ),
          ]}
        />
      )}
      <div className={settingsStyles.setting}>
        <Button icon={Download} onClick={() => void exportSetup()}>
          {t('Export setup')}
        </Button>
        <p className="field-hint">
          <T
            text="Servers, rules and profiles as one file, without secrets. The command <code>toolkeep setup import</code> reads it."
            code={(text) => <code>{text}</code>}
          />
        </p>
      </div>
    </Section>
  );
}

/** One box for all problems, so that their common cause and the next step are stated only once. */
function ConfigProblems({ validation }: { validation: CommandOutput<'config.validate'> }) {
  const summary = configSummary(validation);
  if (!summary) return null;
  const files = Map.groupBy(validation.problems, ({ file }) => file);
  return (
    <NoticeBox icon={FileWarning} label={t('Config problems')} message={summary.title}>
      <p>
        {summary.effect}{' '}
        {files.size === 1
          ? t('Correct the file and save it. Toolkeep then reads it again.')
          : t('Correct the files and save them. Toolkeep then reads them again.')}
      </p>
      {[...files].map(([file, problems]) => (
        <div key={file} className={settingsStyles.problems}>
          {file && (
            <p className={settingsStyles.problemFile}>
              <Path path={file} />
              <CopyButton text={file} label={t('Copy path')} />
            </p>
          )}
          <ul>
            {problems.toSorted(byLine).map((problem) => (
              <li key={`${problem.path} ${problem.message}`}>
                <Problem problem={problem} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </NoticeBox>
  );
}

const byLine = (a: Failure, b: Failure) => (a.line ?? 0) - (b.line ?? 0);

function Problem({ problem }: { problem: Failure }) {
  const { line, path, hint } = problem;
  return (
    <>
      <p>
        {line !== undefined && <strong>{t('Line {line}:', { line })} </strong>}
        {path && (
          <>
            <VisibleText as="code" text={path} />{' '}
          </>
        )}
        <VisibleText text={messageOf(problem)} />
      </p>
      {hint && <VisibleText as="p" text={hint} />}
    </>
  );
}

/** Core's messages also name the place, which is shown separately. */
function messageOf({ message, file, line, path }: Failure): string {
  // untranslated: as Core writes it
  const place = ` (${file}${line === undefined ? '' : `, line ${line}`})`;
  return message.replace(place, '').replace(`${path}: `, '');
}
