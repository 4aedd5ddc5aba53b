/** Runs a tool as the person: a form made from its schema, and the result shown well. */
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Failure, toFailure } from '../../shared/failure.ts';
import { defaultAnswers, validateAnswers } from '../../shared/form.ts';
import { asksFirst, type ToolView } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Segments, TextInput } from '../parts/controls.tsx';
import { FieldInput } from '../parts/field-input.tsx';
import { duration } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { ResultView } from '../parts/result-view.tsx';
import { formOfSchema, parseValues } from '../parts/schema-form.ts';
import { FailureBox } from '../parts/states.tsx';
import { useStores } from '../stores/stores.ts';

type Outcome = { result: Record<string, unknown>; durationMs: number } | { failure: Failure };

export function TryTool({ tool }: { tool: ToolView }) {
  const { link } = useStores();
  const fields = useMemo(() => formOfSchema(tool.inputSchema), [tool.inputSchema]);
  const [isOpen, setOpen] = useState(false);
  const [way, setWay] = useState('form');
  const [values, setValues] = useState<Record<string, unknown>>(() => defaultAnswers(fields.map(({ field }) => field)));
  const [json, setJson] = useState('{}');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  function changeWay(next: string): void {
    if (next === 'json') setJson(JSON.stringify(parseValues(fields, values).values, null, 2));
    setProblems({});
    setWay(next);
  }

  async function run(): Promise<void> {
    const read = way === 'json' ? readJson(json) : readForm();
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0) return;
    setRunning(true);
    const startedAt = performance.now();
    try {
      const result = await link.call('tools.execute', { server: tool.server, tool: tool.name, arguments: read.values });
      setOutcome({ result, durationMs: performance.now() - startedAt });
    } catch (error) {
      setOutcome({ failure: toFailure(error) });
    } finally {
      setRunning(false);
    }
  }

  function readForm(): ReturnType<typeof parseValues> {
    const read = parseValues(fields, values);
    const plain = fields.filter(({ isJson }) => !isJson).map(({ field }) => field);
    const answers = Object.fromEntries(
      plain.filter(({ name }) => name in read.values).map(({ name }) => [name, read.values[name]]),
    );
    return { values: read.values, problems: { ...validateAnswers(plain, answers), ...read.problems } };
  }

  if (!isOpen)
    return (
      <div>
        <Button icon={Play} onClick={() => setOpen(true)}>
          Try it…
        </Button>
      </div>
    );
  return (
    <Section
      title="Try it"
      aside={
        <Segments
          label="How to enter the arguments"
          value={way}
          options={[
            ['form', 'Form'],
            ['json', 'JSON'],
          ]}
          onChange={changeWay}
        />
      }
    >
      <form
        className="try stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {way === 'json' ? (
          <TextInput mono rows={8} label="Arguments" value={json} problem={problems['']} onChange={setJson} />
        ) : (
          fields.map(({ field, isJson }) => (
            <FieldInput
              key={field.name}
              field={field}
              mono={isJson}
              value={values[field.name]}
              problem={problems[field.name]}
              onChange={(value) => setValues({ ...values, [field.name]: value })}
            />
          ))
        )}
        {way === 'form' && fields.length === 0 && <p className="muted">It takes no arguments.</p>}
        <div className="try-run">
          <Button look="primary" type="submit" icon={Play} busy={isRunning}>
            Run
          </Button>
          <span className="muted small">
            The same rules as for an agent:{' '}
            {asksFirst(tool) ? 'you will be asked first.' : 'checks, history and limits apply.'}
          </span>
        </div>
      </form>
      <div aria-live="polite">
        {outcome && 'failure' in outcome && <FailureBox failure={outcome.failure} />}
        {outcome && 'result' in outcome && (
          <ResultView result={outcome.result} by={tool.server} note={duration(outcome.durationMs)} />
        )}
      </div>
    </Section>
  );
}

function readJson(text: string): { values: Record<string, unknown>; problems: Record<string, string> } {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return { values: values as Record<string, unknown>, problems: {} };
    return { values: {}, problems: { '': 'The arguments have to be an object: {…}.' } };
  } catch (error) {
    return { values: {}, problems: { '': `This is not valid JSON: ${toFailure(error).message}` } };
  }
}
