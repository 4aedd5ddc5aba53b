/** A form for the arguments of a prompt or template, the button that sends them, and the result. */
import { Play } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { describedBy, FieldLabel, Labelled } from '../../components/controls.tsx';
import { focusFirstProblem } from '../../components/focus-first-problem.ts';
import { Form } from '../../components/form.tsx';
import { duration } from '../../components/format.ts';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';

interface OfferField {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required: boolean;
}

type Values = Record<string, string>;
type Complete = (argument: { name: string; value: string }, others: Values) => Promise<string[]>;
type Outcome = { result: Record<string, unknown>; durationMs: number } | { failure: Failure };

interface TryOfferProps {
  action: string;
  fields: readonly OfferField[];
  complete?: Complete;
  send(values: Values): Promise<Record<string, unknown>>;
  /** Rendered above the button. */
  preview?(values: Values): ReactNode;
  /** Rendered next to the button. */
  aside?: ReactNode;
  /** Renders the result. `note` says how long the request took. */
  children(result: Record<string, unknown>, note: string): ReactNode;
}

export function TryOffer({ action, fields, complete, send, preview, aside, children }: TryOfferProps) {
  const [values, setValues] = useState<Values>({});
  const [problems, setProblems] = useState<Values>({});
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const form = useRef<HTMLFormElement>(null);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

  async function submit(): Promise<void> {
    const missing = fields.filter(({ name, required }) => required && !given[name]);
    setProblems(Object.fromEntries(missing.map(({ name }) => [name, t('Enter a value.')])));
    if (missing.length > 0) return focusFirstProblem(form);
    setSending(true);
    setOutcome(undefined);
    const startedAt = performance.now();
    try {
      const result = await send(given);
      setOutcome({ result, durationMs: performance.now() - startedAt });
    } catch (error) {
      setOutcome({ failure: toFailure(error) });
    } finally {
      setSending(false);
    }
  }
  return (
    <>
      <Form ref={form} className="stack" onSubmit={submit}>
        {fields.map((field) => (
          <SuggestedInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            problem={problems[field.name]}
            suggest={complete && ((value) => complete({ name: field.name, value }, without(given, field.name)))}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {preview?.(given)}
        <div className="line">
          <Button look="primary" type="submit" icon={Play} busy={isSending}>
            {action}
          </Button>
          {aside}
        </div>
      </Form>
      <div aria-live="polite">
        {outcome && 'failure' in outcome && <FailureBox failure={outcome.failure} />}
        {outcome && 'result' in outcome && children(outcome.result, duration(outcome.durationMs))}
      </div>
    </>
  );
}

function without(values: Values, name: string): Values {
  const { [name]: _, ...others } = values;
  return others;
}

const pauseMs = 200;

interface SuggestedInputProps {
  field: OfferField;
  value: string;
  problem: string | undefined;
  suggest: ((value: string) => Promise<string[]>) | undefined;
  onChange(value: string): void;
}

/** A text field with the server's suggestions. */
function SuggestedInput({ field, value, problem, suggest, onChange }: SuggestedInputProps) {
  const id = useId();
  const [suggestions, setSuggestions] = useState<readonly string[]>([]);
  const [isUsed, setUsed] = useState(false);
  const latest = useRef(suggest);
  latest.current = suggest;
  useEffect(() => {
    if (!isUsed) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      latest.current?.(value).then(
        (found) => !isOutdated && setSuggestions(found),
        () => undefined,
      );
    }, pauseMs);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [isUsed, value]);
  const hint = field.description ? <VisibleText text={field.description} /> : undefined;
  return (
    <Labelled
      id={id}
      label={<FieldLabel label={<VisibleText text={field.title ?? field.name} />} isOptional={!field.required} />}
      hint={hint}
      problem={problem}
    >
      <input
        id={id}
        className="input"
        list={suggestions.length > 0 ? `${id}-suggestions` : undefined}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-required={field.required || undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy(id, hint, problem)}
        onFocus={() => setUsed(true)}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}
