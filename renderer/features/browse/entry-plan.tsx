/** Shows everything that an installation would do, before it starts. */
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import { listOf } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';
import styles from './browse.module.css';

type PlannedConfinement = NonNullable<RegistryPlan['confinement']>;

export function EntryPlan({ plan }: { plan: RegistryPlan }) {
  const { runtime, ownership } = plan;
  const Icon = { confirmed: CircleCheck, denied: CircleAlert, unknown: CircleHelp }[ownership.state];
  return (
    <Section title={plan.replaces ? t('What the update does') : t('What the installation does')}>
      {plan.refused && (
        <FailureBox
          failure={{
            code: 'INSTALL_REFUSED',
            message: plan.refused,
            hint: t('Toolkeep does not install this server.'),
          }}
        />
      )}
      {runtime?.isMissing && (
        <FailureBox
          failure={{
            code: 'INSTALL_REFUSED',
            message: t('{command} is not installed.', { command: runtime.command }),
            hint: runtime.fix,
          }}
        />
      )}
      {plan.warnings.length > 0 && (
        <ul className="stack-closest" aria-label={t('Warnings')}>
          {plan.warnings.map((warning) => (
            <li key={warning} className={`${noteStyles.note} ${noteStyles.noteIcon} ${noteStyles.noteWarn}`}>
              <TriangleAlert className="icon" aria-hidden />
              <VisibleText text={warning} />
            </li>
          ))}
        </ul>
      )}
      {!plan.refused && (
        <Facts
          facts={[
            [
              plan.replaces ? t('Replaces') : t('Adds'),
              <VisibleText key="server" text={t('the server {server}', { server: plan.server })} />,
            ],
            [plan.isRemote ? t('Connects to') : t('Runs'), <Command key="command" words={plan.command} />],
            [
              plan.isRemote ? t('Headers') : t('Environment'),
              plan.values.length > 0 && <Values key="values" plan={plan} />,
            ],
            [t('Files'), plan.files.length > 0 && <VisibleText key="files" text={plan.files.join('\n')} />],
            [
              plan.isRemote ? t('Host') : t('Downloads from'),
              plan.hosts.length > 0 && <VisibleText key="hosts" text={listOf(plan.hosts)} />,
            ],
            [t('Confined'), plan.confinement && <Confinement key="confined" confinement={plan.confinement} />],
            [
              t('Contacts'),
              plan.declaredHosts && (
                <DeclaredHosts key="declared" hosts={plan.declaredHosts} isAllowed={plan.confinement?.isConfined} />
              ),
            ],
            [
              t('Publisher'),
              <span key="ownership" className={styles.ownership}>
                <Icon className={ownership.state === 'confirmed' ? 'icon good' : 'icon warn'} aria-hidden />
                <VisibleText text={ownership.detail} />
              </span>,
            ],
          ]}
        />
      )}
    </Section>
  );
}

function Confinement({ confinement }: { confinement: PlannedConfinement }) {
  if (!confinement.isConfined) return t('No: {reason}', { reason: confinement.reason });
  return t('Yes: it sees only the files that its configuration names, and asks before it reaches another host');
}

function DeclaredHosts({ hosts, isAllowed }: { hosts: readonly string[]; isAllowed: boolean | undefined }) {
  const parts = {
    hosts: <VisibleText text={listOf(hosts)} />,
    note: (text: ReactNode) => <span className="muted">{text}</span>,
  };
  return isAllowed ? (
    <T text="{hosts} <note>named by its publisher, and allowed</note>" {...parts} />
  ) : (
    <T text="{hosts} <note>according to its publisher; Toolkeep does not limit it to these hosts</note>" {...parts} />
  );
}

/** Shows each argument in its own box, so that the user sees where it ends. */
function Command({ words }: { words: readonly string[] }) {
  return (
    <code className={`${styles.command} badges`}>
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument may occur twice
        <VisibleText as="span" key={index} text={word} />
      ))}
    </code>
  );
}

function Values({ plan: { values } }: { plan: RegistryPlan }) {
  return (
    <ul>
      {values.map(({ name, value, isSecret }) => (
        <li key={name}>
          <VisibleText as="code" text={isSecret ? name : `${name}=${value}`} />
          {isSecret && <span className="muted"> {t('from the vault')}</span>}
        </li>
      ))}
    </ul>
  );
}
