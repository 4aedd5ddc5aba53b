/** Runs a tool for the user: a form generated from its schema, and the result. */
import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import { Button } from '../../components/button.tsx';
import { focusFirstProblem } from '../../components/focus-first-problem.ts';
import { Form } from '../../components/form.tsx';
import { duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Section } from '../../components/page.tsx';
import { ResultView } from '../../components/result-view.tsx';
import { FailureBox } from '../../components/states.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { CallProgress } from './call-progress.tsx';
import { ArgumentFields, ArgumentFormat, useArguments } from './tool-arguments.tsx';
import styles from './try-tool.module.css';

type Outcome = { result: Record<string, unknown>; durationMs: number } | { failure: Failure };

export function TryTool({ tool, isTrying }: { tool: ToolView; isTrying: boolean }) {
  const { link, replay } = useStores();
  const [replayed] = useState(() => withoutRedacted(replay.argumentsFor(tool.server, tool.name)));
  const opened = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!replayed) return;
    replay.end();
    opened.current?.scrollIntoView({ block: 'start' });
  }, [replay, replayed]);
  const [isOpen, setOpen] = useState(isTrying || replayed !== undefined);
  const input = useArguments(tool.inputSchema, replayed?.arguments);
  const [running, setRunning] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();

  async function run(): Promise<void> {
    const values = input.read();
    if (!values) return focusFirstProblem(form);
    const callId = crypto.randomUUID();
    setRunning(callId);
    setOutcome(undefined);
    const startedAt = performance.now();
    try {
      const result = await link.call('tools.execute', {
        server: tool.server,
        tool: tool.name,
        arguments: values,
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
      <Section title={t('Try it')} aside={<ArgumentFormat input={input} />}>
        {replayed && (
          <p className={noteStyles.note}>
            {replayed.isIncomplete
              ? t('These are the arguments of the earlier call. Secrets are not kept, so enter them again.')
              : t('These are the arguments of the earlier call.')}
          </p>
        )}
        <Form ref={form} className={`${styles.try} card stack`} onSubmit={run}>
          <ArgumentFields input={input} />
          <div className={styles.tryRun}>
            <Button look="primary" type="submit" icon={Play} busy={running !== undefined}>
              {t('Run')}
            </Button>
            <span className="muted small">
              {tool.asks === 'each'
                ? t('Runs under the same rules as for an agent, so Toolkeep asks you first.')
                : t('Runs under the same rules as for an agent, and is recorded in the history.')}
            </span>
          </div>
        </Form>
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
