/** A confined server tries to reach a host, or to send it a secret, that it has not been allowed. */
import { Ban, Globe, KeyRound } from 'lucide-react';
import { useStore } from 'zustand';
import type { GrantScope } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { AnswerProblem, type BodyProps } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function ConnectionBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const { connection, from } = question;
  if (!connection) return null;
  const { host, port, secret } = connection;
  const Icon = secret === undefined ? Globe : KeyRound;
  const allow = (scope: GrantScope) => void questions.answer(question, { action: 'accept', scope });
  return (
    <>
      <ScrollRegion className={`${questionsStyles.questionBody} stack`} label={t('The request')}>
        <div className={questionsStyles.why}>
          <Icon className="icon" aria-hidden />
          <p>
            {secret === undefined ? (
              <T
                text="{server} tries to connect to <b>{host}</b>, port {port}."
                server={<VisibleText text={from.server ?? t('A server')} />}
                host={<VisibleText text={host} />}
                port={String(port)}
                b={(text) => <strong>{text}</strong>}
              />
            ) : (
              <T
                text="{server} tries to send its secret <b>{secret}</b> to <b>{host}</b>, port {port}."
                server={<VisibleText text={from.server ?? t('A server')} />}
                secret={<VisibleText text={secret} />}
                host={<VisibleText text={host} />}
                port={String(port)}
                b={(text) => <strong>{text}</strong>}
              />
            )}
          </p>
        </div>
        <p className="muted">
          {secret === undefined
            ? t(
                'The server is confined. It can send this host everything that it has received from you and your agents.',
              )
            : t('The server does not know the secret. Toolkeep adds it to the requests to this host only.')}
        </p>
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className={questionsStyles.questionActions}>
        <fieldset disabled={!isArmed || sending}>
          <legend className="sr-only">{t('Allow')}</legend>
          <Button onClick={() => allow('always')}>{t('Always allow')}</Button>
          <Button onClick={() => allow('session')}>{t('Allow until Toolkeep ends')}</Button>
        </fieldset>
        <Button
          look="primary"
          icon={Ban}
          disabled={sending}
          onClick={() => void questions.answer(question, { action: 'decline' })}
        >
          {t('Refuse')}
        </Button>
      </div>
    </>
  );
}
