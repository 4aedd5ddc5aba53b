/** The update of an installed server: what changes, its rehearsal, and the decision. */
import { Download, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { PlanChange, RegistryPlan } from '../../../shared/model/registry.ts';
import type { Rehearsal } from '../../../shared/model/rehearsal.ts';
import { describeChange } from '../../../shared/plan-change.ts';
import { Button } from '../../components/button.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import pageStyles from '../../components/page.module.css';
import { Section } from '../../components/page.tsx';
import { FailureBox, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf, navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './browse.module.css';
import { type Choice, currentValue, installOf, rehearse, withInput } from './choice.ts';
import { EntryPlan } from './entry-plan.tsx';
import { RehearsalResult } from './rehearsal.tsx';
import { usePlan } from './use-plan.ts';

export function UpdateView({ server }: { server: string }) {
  const { installed } = useStores();
  const { data, failure } = useResource(installed);
  const own = data?.find((one) => one.server === server);
  if (!data) return <Unloaded failure={failure} label={t('Loading the update')} />;
  if (!own?.registry)
    return <p>{t('This server did not come from a configured registry, so Toolkeep cannot check for updates.')}</p>;
  return <Update start={{ registry: own.registry, name: own.origin.name, replace: server, inputs: {} }} />;
}

export function Update({ start }: { start: Choice }) {
  const [choice, setChoice] = useState(start);
  const { plan, failure, isCurrent } = usePlan(choice);
  if (!plan) return <Unloaded failure={failure} label={t('Loading the update')} />;
  return (
    <article className={pageStyles.detail}>
      <header>
        <h2>
          <T text="Update {server}" server={<VisibleText text={plan.server} />} />
        </h2>
        <p className="muted">
          <T text="Version {versions}" versions={<VisibleText text={`${plan.replaces} → ${plan.card.version}`} />} />
        </p>
      </header>
      <Section title={t('What changes')}>
        <Changes changes={plan.changes ?? []} />
      </Section>
      {plan.fields
        .filter(({ name }) => plan.problems[name] !== undefined || choice.inputs[name] !== undefined)
        .map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={currentValue(field, choice)}
            problem={plan.problems[field.name]}
            onChange={(value) => setChoice(withInput(choice, field, value))}
          />
        ))}
      <EntryPlan plan={plan} />
      {failure && <FailureBox failure={failure} />}
      <Decision choice={choice} plan={plan} isCurrent={isCurrent} />
    </article>
  );
}

/** The decision about an update. The user can install a new version only after its rehearsal is shown. */
function Decision({ choice, plan, isCurrent }: { choice: Choice; plan: RegistryPlan; isCurrent: boolean }) {
  const { link, servers, toasts } = useStores();
  const [rehearsed, setRehearsed] = useState<{ hash: string; result: Rehearsal }>();
  const [busy, setBusy] = useState<'rehearsing' | 'updating'>();
  const [problem, setProblem] = useState<Failure>();
  const { hash, replaces, card, server } = plan;
  const isSeen = rehearsed !== undefined && rehearsed.hash === hash;

  async function run(kind: 'rehearsing' | 'updating', work: () => Promise<void>): Promise<void> {
    setBusy(kind);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(toFailure(error)));
    setBusy(undefined);
  }
  const start = (current: string) =>
    run('rehearsing', async () => setRehearsed({ hash: current, result: await rehearse(link, choice, current) }));
  const update = (current: string) =>
    run('updating', async () => {
      await installOf(link, choice, current);
      await servers.load();
      toasts.success(t('Updated {server} to {version}.', { server, version: card.version }));
      navigate('servers', server);
    });
  return (
    <>
      <Section title={t('Tools')}>
        {isSeen ? (
          <RehearsalResult rehearsal={rehearsed.result} />
        ) : (
          <p>
            {t(
              'Toolkeep starts the new version separately, with placeholder secrets and paths and an empty home folder, and compares its tools. The installed version keeps running.',
            )}
          </p>
        )}
      </Section>
      {problem && <FailureBox failure={problem} />}
      <div className={styles.install}>
        {isSeen && hash !== undefined ? (
          <Button
            look="primary"
            icon={Download}
            busy={busy === 'updating'}
            disabled={!isCurrent}
            onClick={() => void update(hash)}
          >
            <T text="Update to {version}" version={<VisibleText text={card.version} />} />
          </Button>
        ) : (
          <Button
            look="primary"
            icon={FlaskConical}
            busy={busy === 'rehearsing'}
            disabled={!isCurrent || hash === undefined}
            onClick={() => hash !== undefined && void start(hash)}
          >
            {busy === 'rehearsing' ? t('Starting…') : t('Compare tools')}
          </Button>
        )}
        <a className="button button-plain" href={hrefOf('servers', server)}>
          <T text="Keep {version}" version={<VisibleText text={replaces ?? ''} />} />
        </a>
      </div>
    </>
  );
}

function Changes({ changes }: { changes: readonly PlanChange[] }) {
  if (changes.length === 0) return <p>{t('Only the version.')}</p>;
  return (
    <ul className={`${styles.changes} stack-close`} aria-label={t('Changes')}>
      {changes.map((change) => {
        const { sign, title } = describeChange(change, t);
        return (
          <li key={`${change.what} ${change.before} ${change.after}`} data-sign={sign}>
            <strong>{title}</strong>
            {change.before !== undefined && <VisibleText as="del" text={change.before} />}
            {change.after !== undefined && <VisibleText as="ins" text={change.after} />}
          </li>
        );
      })}
    </ul>
  );
}
