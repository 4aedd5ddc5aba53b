/** Runs a tool for the user: a form generated from its schema, and the result. */
import { Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import { asksFirst, type ToolView } from '../../../shared/model/tool.ts';
import { Button } from '../../components/button.tsx';
import { Segments, TextInput } from '../../components/controls.tsx';
import { focusFirstProblem } from '../../components/focus-first-problem.ts';
import { duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Section } from '../../components/page.tsx';
import { ResultView } from '../../components/result-view.tsx';
import { defaultsOf, formOfSchema, parseValues, valuesOf } from '../../components/schema-form.ts';
import { FailureBox } from '../../components/states.tsx';
import { ValueEditor } from '../../components/value-editor.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { CallProgress } from './call-progress.tsx';
import styles from './try-tool.module.css';

type Outcome = { result: Record<string, unknown>; durationMs: number } | { failure: Failure };

export function TryTool({ tool, isTrying }: { tool: ToolView; isTrying: boolean }) {
  const { link, replay } = useStores();
  const fields = useMemo(() => formOfSchema(tool.inputSchema), [tool.inputSchema]);
  const [replayed] = useState(() => withoutRedacted(replay.argumentsFor(tool.server, tool.name)));
  const opened = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!replayed) return;
    replay.end();
    opened.current?.scrollIntoView({ block: 'start' });
  }, [replay, replayed]);
  const [isOpen, setOpen] = useState(isTrying || replayed !== undefined);
  const [format, setFormat] = useState('form');
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    replayed ? valuesOf(fields, replayed.arguments) : defaultsOf(fields),
  );
  const [json, setJson] = useState('{}');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [running, setRunning] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();

  function changeFormat(next: string): void {
    if (next === 'json') setJson(JSON.stringify(parseValues(fields, values).values, null, 2));
    else {
      const read = readJson(json);
      if (Object.keys(read.problems).length > 0) {
        setProblems(read.problems);
        return;
      }
      setValues(valuesOf(fields, read.values));
    }
    setProblems({});
    setFormat(next);
  }

  async function run(): Promise<void> {
    const read = format === 'json' ? readJson(json) : parseValues(fields, values);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0) return focusFirstProblem(form);
    const callId = crypto.randomUUID();
    setRunning(callId);
    setOutcome(undefined);
    const startedAt = performance.now();
    try {
      const result = await link.call('tools.execute', {
        server: tool.server,
        tool: tool.name,
        arguments: read.values,
        callId,
      });
      setOutcome({ result, durationMs: performance.now() - startedAt });
    } catch (error) {
      setOutcome({ failure: toFailure(error) });
    } finally {
      setRunning(undefined);
    }
  }

  if (!isOpen)
    return (
      <div>
        <Button icon={Play} onClick={() => setOpen(true)}>
          {t('Try it…')}
        </Button>
      </div>
    );
  return (
    <div ref={opened}>
      <Section
        title={t('Try it')}
        aside={
          <Segments
            label={t('Argument format')}
            value={format}
            options={[
              ['form', t('Form')],
              ['json', 'JSON'],
            ]}
            onChange={changeFormat}
          />
        }
      >
        {replayed && (
          <p className={noteStyles.note}>
            {replayed.isIncomplete
              ? t('These are the arguments of the earlier call. Secrets are not kept, so enter them again.')
              : t('These are the arguments of the earlier call.')}
          </p>
        )}
        <form
          ref={form}
          className={`${styles.try} stack`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {format === 'json' ? (
            <TextInput mono rows={8} label={t('Arguments')} value={json} problem={problems['']} onChange={setJson} />
          ) : (
            fields.map((form) => {
              const { name } = form.field;
              return (
                <ValueEditor
                  key={name}
                  form={form}
                  value={values[name]}
                  path={name}
                  problems={problems}
                  onChange={(value) => setValues({ ...values, [name]: value })}
                />
              );
            })
          )}
          {format === 'form' && fields.length === 0 && <p className="muted">{t('This tool takes no arguments.')}</p>}
          <div className={styles.tryRun}>
            <Button look="primary" type="submit" icon={Play} busy={running !== undefined}>
              {t('Run')}
            </Button>
            <span className="muted small">
              {asksFirst(tool)
                ? t('Runs under the same rules as for an agent, so Gatehouse asks you first.')
                : t('Runs under the same rules as for an agent, and is recorded in the history.')}
            </span>
          </div>
        </form>
        {running !== undefined && <CallProgress key={running} callId={running} />}
        <div aria-live="polite">
          {outcome && 'failure' in outcome && <FailureBox failure={outcome.failure} />}
          {outcome && 'result' in outcome && (
            <ResultView result={outcome.result} by={tool.server} note={duration(outcome.durationMs)} />
          )}
        </div>
      </Section>
    </div>
  );
}

/** Leaves out values that contain a redacted secret. */
function withoutRedacted(args: Record<string, unknown> | undefined) {
  if (!args) return undefined;
  const entries = Object.entries(args);
  const complete = entries.filter(([, value]) => !JSON.stringify(value).includes('•••'));
  return { arguments: Object.fromEntries(complete), isIncomplete: complete.length < entries.length };
}

function readJson(text: string): { values: Record<string, unknown>; problems: Record<string, string> } {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return { values: values as Record<string, unknown>, problems: {} };
    return { values: {}, problems: { '': t("The arguments must be an object: '{…}'.") } };
  } catch (error) {
    return { values: {}, problems: { '': t('Not valid JSON: {message}', { message: toFailure(error).message }) } };
  }
}
