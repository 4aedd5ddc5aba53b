/**
 * The first run in four steps, which one button can run through. Core saves the current step, so that the setup continues
 * after a restart. The user can skip it.
 */
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { SetupStep } from '../../../shared/model/home.ts';
import { Button } from '../../components/button.tsx';
import { Unloaded } from '../../components/states.tsx';
import { useResource } from '../../stores/resource.ts';
import { navigate, type View } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { ClientsStep } from './clients-step.tsx';
import { HelloStep } from './hello-step.tsx';
import { ServersStep } from './servers-step.tsx';
import { TryStep } from './try-step.tsx';
import styles from './welcome.module.css';

type Step = Exclude<SetupStep, 'done'>;

const steps: readonly { id: Step; label: string }[] = [
  { id: 'welcome', label: t('Hello') },
  { id: 'servers', label: t('Your servers') },
  { id: 'clients', label: t('Your clients') },
  { id: 'try', label: t('Try it') },
];

export function WelcomeView() {
  const { status, link, toasts } = useStores();
  const { data, failure } = useResource(status);
  /** Each step continues without a click unless it needs the user. */
  const [isAutomatic, setAutomatic] = useState(false);
  if (!data) return <Unloaded failure={failure} label={t('Loading the setup')} onRetry={status.load} />;
  const current = data.setupStep === 'done' ? 'welcome' : data.setupStep;

  async function go(step: SetupStep, next: View = 'home'): Promise<void> {
    const isSaved = await toasts.attempt(() => link.call('core.setup', { step }).then(() => true));
    if (!isSaved) return;
    await status.load();
    if (step === 'done') navigate(next);
  }
  return (
    <div className={styles.welcome}>
      <nav className={styles.rail} aria-label={t('Setup')}>
        <ol>
          {steps.map(({ id, label }, index) => (
            <li key={id}>
              <StepButton
                label={label}
                number={index + 1}
                isCurrent={id === current}
                isDone={index < steps.findIndex((step) => step.id === current)}
                onClick={() => {
                  setAutomatic(false);
                  void go(id);
                }}
              />
            </li>
          ))}
        </ol>
        <Button look="quiet" onClick={() => void go('done')}>
          {t('Skip setup')}
        </Button>
      </nav>
      <StepBody
        key={current}
        step={current}
        go={go}
        isAutomatic={isAutomatic}
        onAutomatic={() => {
          setAutomatic(true);
          void go('servers');
        }}
      />
    </div>
  );
}

interface StepButtonProps {
  label: string;
  number: number;
  isCurrent: boolean;
  isDone: boolean;
  onClick(): void;
}

function StepButton({ label, number, isCurrent, isDone, onClick }: StepButtonProps) {
  return (
    <button type="button" className={styles.step} aria-current={isCurrent ? 'step' : undefined} onClick={onClick}>
      <span className={styles.stepMark} data-done={isDone || undefined} aria-hidden>
        {isDone ? <Check className="icon" /> : number}
      </span>
      {label}
      {isDone && <span className="sr-only"> {t('(done)')}</span>}
    </button>
  );
}

interface StepBodyProps {
  step: Step;
  go(step: SetupStep, next?: View): Promise<void>;
  isAutomatic: boolean;
  /** The user wants all steps without further questions. */
  onAutomatic(): void;
}

function StepBody({ step, go, isAutomatic, onAutomatic }: StepBodyProps) {
  switch (step) {
    case 'welcome':
      return <HelloStep onNext={() => void go('servers')} onAutomatic={onAutomatic} />;
    case 'servers':
      return <ServersStep isAutomatic={isAutomatic} onNext={() => void go('clients')} />;
    case 'clients':
      return <ClientsStep isAutomatic={isAutomatic} onNext={() => void go('try')} />;
    case 'try':
      return <TryStep onDone={(next) => void go('done', next)} />;
  }
}
