/** Shared by the bodies of all questions. */
import { Ban, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Question } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { FoldableText, Quoted } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import questionsStyles from './questions.module.css';

export interface BodyProps {
  question: Question;
}

/** Why Core rejected an answer. */
export function AnswerProblem({ text }: { text: string | undefined }): ReactNode {
  return text ? (
    <p className="field-problem" role="alert">
      {text}
    </p>
  ) : null;
}

/** The words of the server, and `children` below them. */
export function ServerMessage({ question: { from, message }, children }: BodyProps & { children?: ReactNode }) {
  return (
    <Quoted by={from.server ? t('The server “{server}” asks', { server: from.server }) : t('A tool asks')}>
      {message ? <FoldableText text={message} /> : <span className="muted">{t('no message')}</span>}
      {children}
    </Quoted>
  );
}

interface RequestBodyProps extends BodyProps {
  icon: LucideIcon;
  /** Says who wants to do what. */
  wish: ReactNode;
  note: string;
  details?: ReactNode;
  /** The buttons that allow it. */
  allow: ReactNode;
  /** The label of the button that refuses it. */
  refuse: string;
}

/** A request that the user allows or refuses. */
export function RequestBody({ question, icon: Icon, wish, note, details, allow, refuse }: RequestBodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  return (
    <>
      <ScrollRegion className={`${questionsStyles.questionBody} stack`} label={t('The request')}>
        <div className={questionsStyles.why}>
          <Icon className="icon warn" aria-hidden />
          <p>{wish}</p>
        </div>
        {details}
        <p className="muted">{note}</p>
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className={questionsStyles.questionActions}>
        <fieldset disabled={!isArmed || sending}>
          <legend className="sr-only">{t('Allow')}</legend>
          {allow}
        </fieldset>
        <Button
          look="primary"
          icon={Ban}
          disabled={sending}
          onClick={() => void questions.answer(question, { action: 'decline' })}
        >
          {refuse}
        </Button>
      </div>
    </>
  );
}
