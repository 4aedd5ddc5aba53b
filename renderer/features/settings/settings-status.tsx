/** The status of every server, and diagnostics for a bug report. */
import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { Dialog } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { StatusTable } from '../../components/status-table.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useNow } from '../../components/use-now.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './settings.module.css';

export function StatusSettings() {
  const { appearance } = useStores();
  const { showTechnicalDetails } = useStore(appearance.state);
  const now = useNow(10_000);
  return (
    <>
      <Section
        title={t('Servers')}
        aside={
          <Switch
            label={t('Technical details')}
            checked={showTechnicalDetails}
            onChange={(next) => appearance.set({ showTechnicalDetails: next })}
          />
        }
      >
        <StatusTable showTechnicalDetails={showTechnicalDetails} now={now} />
      </Section>
      <Diagnostics />
    </>
  );
}

function Diagnostics() {
  const { link } = useStores();
  const [report, setReport] = useState<string>();
  return (
    <Section
      title={t('Diagnostics')}
      aside={
        <ActionButton icon={FileText} run={async () => setReport((await link.call('core.diagnostics')).text)}>
          {t('Export diagnostics…')}
        </ActionButton>
      }
    >
      <p className="field-hint">
        {t(
          'A file to attach to a bug report, with versions, configuration, servers, recent failures and the end of the log. Secrets, arguments and your user name are left out. You can review it first, and it is not sent anywhere.',
        )}
      </p>
      {report !== undefined && (
        <Dialog title={t('Diagnostics')} onClose={() => setReport(undefined)}>
          <div className={dialogStyles.dialogBody}>
            <ScrollRegion label={t('Report')} className={styles.report}>
              <pre>
                <VisibleText text={report} />
              </pre>
            </ScrollRegion>
          </div>
          <footer className={dialogStyles.dialogFoot}>
            <CopyButton text={report} label={t('Copy report')} />
            <Button
              icon={Download}
              look="primary"
              onClick={() => saveFile('toolkeep-diagnostics.txt', 'text/plain', report)}
            >
              {t('Save')}
            </Button>
          </footer>
        </Dialog>
      )}
    </Section>
  );
}
