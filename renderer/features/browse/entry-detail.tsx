/** One registry entry: its description and the form that installs it. After the installation, shows the new server. */
import { Play } from 'lucide-react';
import { useState } from 'react';
import { entryTitle } from '../../../shared/entry-name.ts';
import type { RegistryCard } from '../../../shared/model/registry.ts';
import { StatusBadge } from '../../components/badge.tsx';
import pageStyles from '../../components/page.module.css';
import { Section } from '../../components/page.tsx';
import { FailureBox, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './browse.module.css';
import type { Choice } from './choice.ts';
import { age } from './describe-entry.ts';
import { InstallForm } from './install-form.tsx';
import { Update } from './update.tsx';
import { usePlan } from './use-plan.ts';

export function EntryDetail({ start }: { start: Omit<Choice, 'inputs'> }) {
  const [choice, setChoice] = useState<Choice>({ ...start, inputs: {} });
  const { plan, failure, isCurrent } = usePlan(choice);
  const [server, setServer] = useState<string>();
  if (!plan) return <Unloaded failure={failure} label={t('Loading the server')} />;
  // An earlier version of this bundle is installed.
  if (plan.replaces !== undefined && server === undefined)
    return <Update start={{ ...start, replace: plan.server, inputs: {} }} />;
  return (
    <article className={pageStyles.detail}>
      <EntryHead card={plan.card} />
      {server === undefined ? (
        <InstallForm
          choice={choice}
          plan={plan}
          isCurrent={isCurrent}
          failure={failure}
          onChange={setChoice}
          onInstalled={setServer}
        />
      ) : (
        <Installed server={server} />
      )}
    </article>
  );
}

function EntryHead({ card }: { card: RegistryCard }) {
  return (
    <header className="stack">
      <div>
        <VisibleText as="h2" text={entryTitle(card)} />
        <VisibleText as="p" className="muted mono small" text={card.name} />
        <p className="muted">
          <T text="Version {version}" version={<VisibleText text={card.version} />} />
          {age(card) && ` · ${age(card)}`}
        </p>
      </div>
      <VisibleText as="p" text={card.description} />
      {card.repository && <VisibleText as="p" className="mono small" text={card.repository} />}
    </header>
  );
}

/** Follows the new server until its tools can be tried. */
function Installed({ server }: { server: string }) {
  const { servers, tools } = useStores();
  const view = useResource(servers).data?.find(({ id }) => id === server);
  const own = (useResource(tools.list).data ?? []).filter((tool) => tool.server === server && tool.enabled);
  const safe = own.filter(({ safetyLevel }) => safetyLevel === 'safe');
  const first = safe.find(({ name }) => /^list/i.test(name)) ?? safe[0] ?? own[0];
  return (
    <Section title={t('Installed')}>
      <div className={styles.installed} role="status">
        <a href={hrefOf('servers', server)}>
          <VisibleText text={server} />
        </a>
        {view && <StatusBadge server={view} />}
      </div>
      {view?.failure && <FailureBox failure={view.failure} />}
      {first && (
        <div>
          <a className="button button-primary" href={hrefOf('tools', server, first.name, 'try')}>
            <Play className="icon" aria-hidden />
            {t('Try a tool')}
          </a>
        </div>
      )}
    </Section>
  );
}
