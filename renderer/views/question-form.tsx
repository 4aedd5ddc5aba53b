/** Everything that is answered with values: yes or no, text, choices, forms, files and secrets. */

import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { defaultAnswers, validateAnswers } from '../../shared/form.ts';
import type { Question } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { FieldInput } from '../parts/field-input.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { FoldableText, Quoted, VisibleText } from '../parts/server-text.tsx';
import { useArmed } from '../parts/use-armed.ts';
import { useStores } from '../stores/stores.ts';
import { AnswerProblem, type BodyProps } from './question-body.tsx';

export function FormBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems: refused, sending } = useStore(questions.state);
  const [values, setValues] = useState(() => defaultAnswers(question.fields));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const isArmed = useArmed(question.id);
  const problems = validateAnswers(question.fields, known(values));
  const by = `${question.from.server ?? 'A tool'} asks`;
  const isYesNo = question.kind === 'confirmation' && question.fields.length <= 1;

  /** A message of ours stays away until the person has been at the field. */
  const problemOf = (name: string): string | undefined =>
    refused[name] ?? (touched.has(name) ? problems[name] : undefined);

  function submit(): void {
    if (!isArmed || sending) return;
    setTouched(new Set(question.fields.map(({ name }) => name)));
    if (Object.keys(problems).length === 0)
      void questions.answer(question, { action: 'accept', value: answerOf(question, known(values)) });
  }
  function change(name: string, value: unknown): void {
    setValues({ ...values, [name]: value });
    setTouched(new Set([...touched, name]));
  }

  return (
    <form
      className="question-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ScrollRegion className="question-body stack" label="The question">
        <Quoted by={by}>
          {question.message ? <FoldableText text={question.message} /> : <span className="muted">without a word</span>}
          {isYesNo && question.fields[0]?.description && (
            <p>
              <VisibleText text={question.fields[0].description} />
            </p>
          )}
        </Quoted>
        {!isYesNo &&
          question.fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name]}
              problem={problemOf(field.name)}
              onChange={(value) => change(field.name, value)}
            />
          ))}
        {question.fields.some(({ kind }) => kind === 'secret') && (
          <p className="note note-icon">
            <Lock className="icon" aria-hidden />
            <span>
              Goes to{' '}
              <strong>
                <VisibleText text={question.from.server ?? 'the server'} />
              </strong>{' '}
              only. Gatehouse does not keep, log or show it to the agent.
            </span>
          </p>
        )}
      </ScrollRegion>
      <AnswerProblem text={refused['']} />
      <div className="question-actions">
        <fieldset className="allow" disabled={!isArmed || sending}>
          <legend className="sr-only">Answer</legend>
          {isYesNo ? (
            <>
              <Button look="primary" onClick={() => void questions.answer(question, yesNo(question, true))}>
                Yes
              </Button>
              {question.fields.length === 1 && (
                <Button onClick={() => void questions.answer(question, yesNo(question, false))}>No</Button>
              )}
            </>
          ) : (
            <Button look="primary" type="submit" busy={sending}>
              Send answer
            </Button>
          )}
        </fieldset>
        <Button disabled={sending} onClick={() => void questions.answer(question, { action: 'decline' })}>
          {isYesNo ? 'Decline to answer' : 'Decline'}
        </Button>
      </div>
    </form>
  );
}

/** Untouched optional fields are not sent at all. */
function known(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}

/** A form answers with a record, every other kind with its one value. */
function answerOf(question: Question, values: Record<string, unknown>): unknown {
  const [only] = question.fields;
  return question.kind === 'form' || !only ? values : values[only.name];
}

function yesNo(question: Question, value: boolean) {
  return question.fields.length === 0 ? ({ action: 'accept' } as const) : ({ action: 'accept', value } as const);
}
