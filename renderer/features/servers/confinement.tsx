/** The limits of a confined server, the hosts that it reached or was refused, and the secrets that it does not know. */
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { ConfinementReport, ConfinementTrial, ReportedHost } from '../../../shared/model/sandbox.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { isPartlyConfined, wasOnlyRefused } from '../../../shared/server-facts.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { dotted, moment } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './server-detail.module.css';

export function confinementLabel(server: ServerView): string {
  if (!server.isConfined) {
    if (server.status !== 'ready') return '';
    const reason = server.unconfined?.reason;
    return reason === undefined ? t('Not confined') : t('Not confined: {reason}', { reason });
  }
  return isPartlyConfined(server) ? t('Partly confined: it knows some of its secrets') : t('Confined');
}

/** Offers to confine a server that has worked. It is confined only if it then lists the same tools. */
export function ConfineOffer({ server }: { server: string }) {
  const { link, toasts } = useStores();
  const [trial, setTrial] = useState<ConfinementTrial>();
  async function confine(): Promise<void> {
    setTrial(undefined);
    const result = await link.call('servers.confine', { server, isWanted: true });
    if (!result.failure && result.different.length === 0) toasts.success(t('{server} is confined.', { server }));
    setTrial(result);
  }
  return (
    <div className={`${noteStyles.note} ${styles.signIn} line`} role="status">
      <p>
        {t(
          'This server runs with all your rights. Toolkeep can start it confined, and keeps that if it lists the same tools.',
        )}
      </p>
      <ActionButton icon={ShieldCheck} run={confine}>
        {t('Confine it')}
      </ActionButton>
      {trial?.failure && <FailureBox failure={trial.failure} />}
      {trial && trial.different.length > 0 && (
        <p>
          {t('It stays unconfined, because it lists other tools confined:')}{' '}
          <VisibleText text={trial.different.join(', ')} />
        </p>
      )}
    </div>
  );
}

function StopConfining({ server }: { server: string }) {
  const { link, toasts } = useStores();
  const stop = () => link.call('servers.confine', { server, isWanted: false });
  return (
    <Button look="plain" onClick={() => void toasts.attempt(stop, t('{server} runs unconfined.', { server }))}>
      {t('Run unconfined')}
    </Button>
  );
}

interface SectionProps {
  server: string;
  report: ConfinementReport;
  need: string | undefined;
}

export function ConfinementSection({
  server,
  report: { may, hosts, refusedFolders, standIns, held },
  need,
}: SectionProps) {
  const reach = may.ask ? [...may.reach, t('other hosts, after a question')] : may.reach;
  return (
    <Section title={t('Limits')} aside={<StopConfining server={server} />}>
      <Facts
        facts={[
          [
            t('May not work'),
            need !== undefined && (
              <VisibleText key="need" text={t('It seems that {need}, which its limits do not allow.', { need })} />
            ),
          ],
          [t('May read'), <Paths key="read" paths={may.read} />],
          [t('May write'), <Paths key="write" paths={may.write} />],
          [t('May reach'), <VisibleText key="reach" text={reach.join(', ') || t('nothing')} />],
          [
            t('Hosts'),
            hosts.length > 0 &&
              hosts.map((host) => <HostLine key={host.address} host={host} server={server} mayAllow={may.ask} />),
          ],
          [
            t('Was refused'),
            refusedFolders.length > 0 &&
              refusedFolders.map((folder) => (
                <div key={folder} className={styles.refusal}>
                  <Path path={folder} />
                  <Allow server={server} kind="files" value={folder} label={t('Allow this folder')} />
                </div>
              )),
          ],
          [t('Does not know'), standIns.length > 0 && <VisibleText key="standIns" text={standIns.join(', ')} />],
          [
            t('Knows'),
            held.length > 0 &&
              held.map(({ name, reason }) => (
                <VisibleText as="div" key={name} text={t('{secret}: {reason}', { secret: name, reason })} />
              )),
          ],
        ]}
      />
    </Section>
  );
}

function Paths({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return t('nothing besides its own folder');
  return paths.map((path) => (
    <div key={path}>
      <Path path={path} />
    </div>
  ));
}

/** Allows what the server was refused. It sees a folder after its next start or the next call that names it. */
function Allow({
  server,
  kind,
  value,
  label,
}: {
  server: string;
  kind: 'network' | 'files';
  value: string;
  label: string;
}) {
  const { link, toasts } = useStores();
  const allow = () => link.call('grants.allowDestinations', { server, destinations: [{ kind, value }] });
  return (
    <Button look="plain" onClick={() => void toasts.attempt(allow, t('{server} may use {value}.', { server, value }))}>
      {label}
    </Button>
  );
}

function HostLine({ host, server, mayAllow }: { host: ReportedHost; server: string; mayAllow: boolean }) {
  const { address, reached, refused, secrets, lastAt } = host;
  const facts = [
    address,
    reached > 0 && t('{count, plural, one {# connection} other {# connections}}', { count: reached }),
    secrets.length > 0 && t('received {secrets}', { secrets: secrets.join(', ') }),
    refused > 0 && t('{count, plural, one {refused once} other {refused # times}}', { count: refused }),
    t('last {time}', { time: moment(lastAt) }),
  ];
  return (
    <div className={styles.refusal}>
      <VisibleText text={dotted(facts)} />
      {mayAllow && wasOnlyRefused(host) && (
        <Allow server={server} kind="network" value={address} label={t('Allow this host')} />
      )}
    </div>
  );
}
