/** The inputs of an entry, its installation plan, and the button that installs it. */
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/controls.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { focusFirstProblem } from '../../components/focus-first-problem.ts';
import { Form } from '../../components/form.tsx';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './browse.module.css';
import { type Choice, currentValue, installOf, withInput } from './choice.ts';
import { EntryPlan } from './entry-plan.tsx';

interface InstallFormProps {
  choice: Choice;
  plan: RegistryPlan;
  /** True if the plan is for this choice. The button installs only a plan that is shown. */
  isCurrent: boolean;
  failure: Failure | undefined;
  onChange(choice: Choice): void;
  onInstalled(server: string): void;
}

export function InstallForm({ choice, plan, isCurrent, failure, onChange, onInstalled }: InstallFormProps) {
  const { link, servers } = useStores();
  const [isTried, setTried] = useState(false);
  const [isInstalling, setInstalling] = useState(false);
  const [refusal, setRefusal] = useState<Failure>();
  const form = useRef<HTMLFormElement>(null);
  const { card, fields, problems, hash } = plan;
  const isImpossible = plan.refused !== undefined || plan.runtime?.isMissing === true;
  const problem = refusal ?? failure;

  async function install(): Promise<void> {
    setTried(true);
    if (hash === undefined) return focusFirstProblem(form);
    setInstalling(true);
    setRefusal(undefined);
    try {
      const { server } = await installOf(link, choice, hash);
      await servers.load();
      onInstalled(server);
    } catch (error) {
      setRefusal(toFailure(error));
    } finally {
      setInstalling(false);
    }
  }

  return (
    <Form ref={form} className="stack" onSubmit={install}>
      {card.options.length > 1 && (
        <Select
          label={t('Install from')}
          value={plan.option}
          options={card.options.map(({ id, kind, target }) => [id, `${kind}: ${target}`] as const)}
          onChange={(option) => onChange({ ...choice, option })}
        />
      )}
      {!isImpossible &&
        fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={currentValue(field, choice)}
            problem={isTried || choice.inputs[field.name] ? problems[field.name] : undefined}
            onChange={(value) => onChange(withInput(choice, field, value))}
          />
        ))}
      <EntryPlan plan={plan} />
      {problem && <FailureBox failure={problem} />}
      <div className={styles.install}>
        <Button look="primary" type="submit" icon={Download} busy={isInstalling} disabled={isImpossible || !isCurrent}>
          {card.installed ? t('Install again') : t('Install')}
        </Button>
        {card.installed && (
          <a href={hrefOf('servers', card.installed.server)}>
            <T
              text="Installed as {server}, version {version}"
              server={<VisibleText text={card.installed.server} />}
              version={<VisibleText text={card.installed.version} />}
            />
          </a>
        )}
      </div>
    </Form>
  );
}
