/** A server asks the user to open a web page: the full URL, its host highlighted, and warnings. */
import { ExternalLink, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../components/button.tsx';
import { Check } from '../../components/controls.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { TextList, VisibleText } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { AnswerProblem, type BodyProps, ServerMessage } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function UrlBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const [isConfirmed, setConfirmed] = useState(false);
  const url = question.url ?? '';
  const { address } = question;
  const isSuspicious = address !== undefined && address.warnings.length > 0;

  function accept(): void {
    window.open(url, '_blank', 'noopener,noreferrer');
    void questions.answer(question, { action: 'accept' });
  }
  const open = (
    <fieldset key="open" disabled={!isArmed || sending || !address}>
      <legend className="sr-only">{t('Answer')}</legend>
      <Button
        look={isSuspicious ? 'plain' : 'primary'}
        icon={ExternalLink}
        disabled={isSuspicious && !isConfirmed}
        onClick={accept}
      >
        {isSuspicious ? t('Open anyway') : t('Open in browser')}
      </Button>
    </fieldset>
  );
  const decline = (
    <Button
      key="decline"
      look={isSuspicious ? 'primary' : 'plain'}
      disabled={sending}
      onClick={() => void questions.answer(question, { action: 'decline' })}
    >
      {t('Decline')}
    </Button>
  );
  return (
    <>
      <ScrollRegion className={`${questionsStyles.questionBody} stack`} label={t('The question')}>
        <ServerMessage question={question} />
        <div>
          <h2>{t('This page opens in your browser')}</h2>
          <p className={questionsStyles.url}>
            {address ? (
              <>
                <VisibleText as="span" className="muted" text={address.before} />
                <VisibleText as="strong" text={address.host} />
                <VisibleText as="span" className="muted" text={address.after} />
              </>
            ) : (
              <VisibleText text={url} />
            )}
          </p>
        </div>
        {isSuspicious && (
          <div className={questionsStyles.why}>
            <TriangleAlert className="icon warn" aria-hidden />
            <TextList texts={address.warnings} />
          </div>
        )}
        {isSuspicious && (
          <Check checked={isConfirmed} onChange={setConfirmed}>
            {t('I have checked the address and trust it')}
          </Check>
        )}
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className={questionsStyles.questionActions}>{isSuspicious ? [open, decline] : [decline, open]}</div>
    </>
  );
}
