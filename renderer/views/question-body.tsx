/** What the bodies of all questions have in common. */
import type { ReactNode } from 'react';
import type { Question } from '../../shared/model.ts';

export interface BodyProps {
  question: Question;
}

/** What Core said about an answer that it did not take. */
export function AnswerProblem({ text }: { text: string | undefined }): ReactNode {
  return text ? (
    <p className="field-problem" role="alert">
      {text}
    </p>
  ) : null;
}
