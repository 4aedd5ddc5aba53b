/** The update of an installed server: what changes, and the decision. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { PlanChange, RegistryPlan } from '../../../shared/model/registry.ts';
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
import { type Choice, currentValue, installOf, withInput } from './choice.ts';
import { EntryPlan } from './entry-plan.tsx';
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

function Decision({ choice, plan, isCurrent }: { choice: Choice; plan: RegistryPlan; isCurrent: boolean }) {
  const { link, servers, toasts } = useStores();
  const [isUpdating, setUpdating] = useState(false);
  const [refusal, setRefusal] = useState<Failure>();
  const { hash, replaces, card, server } = plan;

  async function update(seen: string): Promise<void> {
    setUpdating(true);
    setRefusal(undefined);
    try {
      await installOf(link, choice, seen);
      await servers.load();
      toasts.success(t('Updated {server} to {version}.', { server, version: card.version }));
      navigate('servers', server);
    } catch (error) {
      setRefusal(toFailure(error));
    } finally {
      setUpdating(false);
    }
  }
  return (
    <>
      <p>{t('Agents cannot use new and changed tools until you accept them.')}</p>
      {refusal && <FailureBox failure={refusal} />}
      <div className={styles.install}>
        <Button
          look="primary"
          icon={Download}
          busy={isUpdating}
          disabled={!isCurrent || hash === undefined}
          onClick={() => hash !== undefined && void update(hash)}
        >
          <T text="Update to {version}" version={<VisibleText text={card.version} />} />
        </Button>
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
