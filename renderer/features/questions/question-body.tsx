/** Shared by the bodies of all questions. */
import type { ReactNode } from 'react';
import type { Question } from '../../../shared/model/question.ts';

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
