/** Questions that are answered with values: confirmation, text, select, form, file and secret. */
import { Lock, ShieldAlert } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { defaultAnswers, validateAnswers } from '../../../shared/form.ts';
import type { Question } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { focusFirstProblem } from '../../components/focus-first-problem.ts';
import { Form } from '../../components/form.tsx';
import noteStyles from '../../components/note.module.css';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { sendFile } from '../../components/send-file.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { AnswerProblem, type BodyProps, ServerMessage } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function FormBody({ question }: BodyProps) {
  const { link, questions } = useStores();
  const { problems: refused, sending } = useStore(questions.state);
  const [values, setValues] = useState(() => defaultAnswers(question.fields));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const isArmed = useArmed(question.id);
  const form = useRef<HTMLFormElement>(null);
  const problems = validateAnswers(question.fields, known(values), t);
  const recipient = {
    server: <VisibleText text={question.from.server ?? t('the server')} />,
    b: (text: ReactNode) => <strong>{text}</strong>,
  };
  const isYesNo = question.kind === 'confirmation' && question.fields.length <= 1;

  /** Validation messages appear only after the user has changed the field. */
  const problemOf = (name: string): string | undefined =>
    refused[name] ?? (touched.has(name) ? problems[name] : undefined);

  function submit(): void {
    if (!isArmed || sending) return;
    setTouched(new Set(question.fields.map(({ name }) => name)));
    if (Object.keys(problems).length > 0) focusFirstProblem(form);
    else void questions.answer(question, { action: 'accept', value: answerOf(question, known(values)) });
  }
  function change(name: string, value: unknown): void {
    setValues({ ...values, [name]: value });
    setTouched(new Set([...touched, name]));
  }

  function upload(field: string, file: File): Promise<string> {
    const about = { question: question.id, field, name: file.name, size: file.size };
    return sendFile(file, (part, id) => link.call('questions.upload', { ...about, part, id }));
  }

  return (
    <Form ref={form} className={questionsStyles.questionForm} onSubmit={submit}>
      <ScrollRegion className={`${questionsStyles.questionBody} stack`} label={t('The question')}>
        {question.from.isToolkeep ? (
          <p>{t('Enter it here, and Toolkeep starts the server.')}</p>
        ) : (
          <ServerMessage question={question}>
            {isYesNo && question.fields[0]?.description && <VisibleText as="p" text={question.fields[0].description} />}
          </ServerMessage>
        )}
        {!question.from.isToolkeep && namesToolkeep(question) && (
          <p className={`${noteStyles.note} ${noteStyles.noteIcon}`}>
            <ShieldAlert className="icon" aria-hidden />
            <span>
              {t('This question is not from Toolkeep, which never asks for its passphrase through a server.')}
            </span>
          </p>
        )}
        {!isYesNo &&
          question.fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name]}
              problem={problemOf(field.name)}
              onChange={(value) => change(field.name, value)}
              onUpload={(file) => upload(field.name, file)}
            />
          ))}
        {question.fields.some(({ kind }) => kind === 'secret') && (
          <p className={`${noteStyles.note} ${noteStyles.noteIcon}`}>
            <Lock className="icon" aria-hidden />
            <span>
              {question.from.isToolkeep ? (
                <T
                  text="Toolkeep sends it to the server <b>{server}</b> only, and never logs it. That server can still pass it on."
                  {...recipient}
                />
              ) : (
                <T
                  text="Toolkeep sends it to the server <b>{server}</b> only, and neither stores nor logs it. That server can still pass it on."
                  {...recipient}
                />
              )}
            </span>
          </p>
        )}
      </ScrollRegion>
      <AnswerProblem text={refused['']} />
      <div className={questionsStyles.questionActions}>
        <Button disabled={sending} onClick={() => void questions.answer(question, { action: 'decline' })}>
          <VisibleText text={question.labels?.cancel ?? (isYesNo ? t('Decline to answer') : t('Decline'))} />
        </Button>
        <fieldset disabled={!isArmed || sending}>
          <legend className="sr-only">{t('Answer')}</legend>
          {isYesNo ? (
            <>
              {question.fields.length === 1 && (
                <Button onClick={() => void questions.answer(question, yesNo(question, false))}>{t('No')}</Button>
              )}
              <Button look="primary" onClick={() => void questions.answer(question, yesNo(question, true))}>
                <VisibleText text={question.labels?.confirm ?? t('Yes')} />
              </Button>
            </>
          ) : (
            <Button look="primary" type="submit" busy={sending}>
              {t('Send answer')}
            </Button>
          )}
        </fieldset>
      </div>
    </Form>
  );
}

/** Leaves out empty optional fields. */
function known(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}

/** A form is answered with a record, every other kind with its single value. */
function answerOf(question: Question, values: Record<string, unknown>): unknown {
  const [only] = question.fields;
  return question.kind === 'form' || !only ? values : values[only.name];
}

function yesNo(question: Question, value: boolean) {
  return question.fields.length === 0 ? ({ action: 'accept' } as const) : ({ action: 'accept', value } as const);
}

/** True if a server's question mentions Toolkeep or what only Toolkeep asks for. */
function namesToolkeep({ message, fields }: Question): boolean {
  const texts = [
    message,
    ...fields.flatMap(({ label, description = '', placeholder = '' }) => [label, description, placeholder]),
  ];
  return texts.some((text) => /tool\W*keep|pass\W*phrase|\bvault\b/i.test(text));
}
