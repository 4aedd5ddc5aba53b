/** An approval: all arguments of the call, why approval is needed, and how long it applies. */
import { ListChecks, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Answer, GrantScope, GrantView, Question, SeenTitle } from '../../../shared/model/question.ts';
import { ArgumentsView } from '../../components/arguments-view.tsx';
import { Button } from '../../components/button.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { moment } from '../../components/format.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { FoldableText, Quoted, TextList, VisibleText } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useSeen } from '../../components/use-seen.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { AsksSummary } from '../servers/asks.tsx';
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalDestinations } from './approval-destinations.tsx';
import { ApprovalScope } from './approval-scope.tsx';
import { AnswerProblem, type BodyProps } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function ApprovalBody({ question }: BodyProps) {
  const { questions, toasts } = useStores();
  const undoGrant = useUndoGrant(question);
  const { problems, sending } = useStore(questions.state);
  const { approval, from } = question;
  /** The duration that the user is about to allow; undefined while the first step is shown. */
  const [scope, setScope] = useState<GrantScope>();
  const isArmed = useArmed(`${question.id} ${scope ?? ''}`);
  const [endOfArguments, isSeen] = useSeen();
  const conditions = approval?.conditions ?? [];
  const choices = approval?.choices ?? [];
  const offers = approval?.destinations?.offers ?? [];

  async function answer(given: Answer): Promise<void> {
    await questions.answer(question, given);
    const isLasting = given.action === 'accept' && given.scope === 'always';
    if (!isLasting || questions.state.getState().problems['']) return;
    const action = { label: t('Undo'), run: undoGrant };
    const place = (approval?.covers === 'acts' ? from.server : from.tool) ?? '';
    const href = hrefOf('settings', 'approvals');
    if (approval?.covers === 'destinations')
      toasts.success(t('Destinations allowed for {place}.', { place }), { href });
    else toasts.success(t('Approval saved for {place}.', { place }), { href, action });
  }
  function choose(next: GrantScope): void {
    if (next === 'once') void answer({ action: 'accept', scope: next });
    else if (next === 'always' || conditions.length + choices.length + offers.length > 0) setScope(next);
    else void answer({ action: 'accept', scope: next, conditions: [] });
  }
  return (
    <>
      <ScrollRegion className={questionsStyles.questionBody} label={t('The call')}>
        {question.message && (
          <Quoted by={t('{server} describes the tool', { server: from.server ?? t('The server') })}>
            <FoldableText text={question.message} />
          </Quoted>
        )}
        {approval?.destinations && <ApprovalDestinations destinations={approval.destinations} />}
        <Reasons reasons={approval?.reasons ?? []} isDangerous={approval?.isDangerous ?? false} />
        {approval?.covers === 'acts' && (
          <p>
            <T
              text="“Once” allows only this call. The longer choices allow every tool on “{server}” except dangerous ones."
              server={<VisibleText text={from.server ?? t('this server')} />}
            />{' '}
            <AsksSummary server={from.server ?? ''} />
          </p>
        )}
        <ApprovalTitles titles={approval?.titles ?? []} server={from.server ?? ''} />
        <h2>{t('Arguments')}</h2>
        <ArgumentsView values={approval?.arguments ?? {}} />
        {approval?.meta && (
          <>
            <h2>{t('Metadata')}</h2>
            <p>{t('The client sends this with the call, and the server receives it.')}</p>
            <ArgumentsView values={approval.meta} />
          </>
        )}
        <div ref={endOfArguments} />
        {approval?.isUnbound && (
          <p className="muted">
            {t(
              'Approvals of this client end with its session, because any program could state its name. To save approvals, add --client NAME to its entry.',
            )}
          </p>
        )}
        {approval?.offersBatch && <BatchOffer client={from.client ?? ''} isArmed={isArmed} />}
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      {scope === undefined ? (
        <ApprovalActions
          scopes={approval?.scopes ?? ['once']}
          canAllow={isArmed && !sending}
          isRead={isSeen}
          isSending={sending}
          isDangerous={approval?.isDangerous ?? false}
          onAllow={choose}
          onDeny={(disableTool) => void answer({ action: 'decline', disableTool: disableTool || undefined })}
        />
      ) : (
        <ApprovalScope
          scope={scope}
          from={from}
          conditions={conditions}
          choices={choices}
          covers={approval?.covers ?? 'tool'}
          offers={offers}
          anyCovers={approval?.destinations?.anyCovers ?? 'tool'}
          domains={approval?.destinations?.domains ?? []}
          sites={approval?.destinations?.sites ?? []}
          canAllow={isArmed && !sending}
          onAllow={(chosen) => void answer({ action: 'accept', scope, ...chosen })}
          onBack={() => setScope(undefined)}
        />
      )}
    </>
  );
}

/** Revokes the grant that the question created. */
function useUndoGrant({ from, approval }: Question): () => void {
  const { link, toasts } = useStores();
  const isForServer = approval?.covers === 'acts';
  const isOfQuestion = ({ client, server, tool, covers }: GrantView) =>
    client === from.client &&
    server === from.server &&
    (isForServer ? covers === 'acts' : covers !== 'acts' && tool === from.tool);
  return () =>
    void toasts.attempt(
      async () => {
        const grants = await link.call('grants.list');
        const newest = grants.filter(isOfQuestion).toSorted((a, b) => b.grantedAt - a.grantedAt)[0];
        if (newest) await link.call('grants.revoke', { id: newest.id });
      },
      isForServer
        ? t('Approval revoked. Tools on {server} need approval again.', { server: from.server ?? '' })
        : t('Approval revoked. {tool} needs approval again.', { tool: from.tool ?? '' }),
    );
}

function Reasons({ reasons, isDangerous }: { reasons: readonly string[]; isDangerous: boolean }) {
  if (reasons.length === 0) return null;
  return (
    <div className={isDangerous ? `${questionsStyles.why} ${questionsStyles.danger}` : questionsStyles.why}>
      <ShieldAlert className={isDangerous ? 'icon bad' : 'icon warn'} aria-hidden />
      <div>
        <h2>{t('Why Toolkeep asks')}</h2>
        <TextList texts={reasons} />
      </div>
    </div>
  );
}

function ApprovalTitles({ titles, server }: { titles: readonly SeenTitle[]; server: string }) {
  if (titles.length === 0) return null;
  return (
    <Quoted by={t('{server} says', { server })}>
      {titles.map(({ id, title, tool, at }) => (
        <div key={id}>
          <p>
            <T
              text="{title} – seen in a result of “{tool}”, {time}"
              title={<VisibleText as="q" text={title} />}
              tool={<VisibleText text={tool} />}
              time={moment(at)}
            />
          </p>
          <VisibleText as="p" className="mono muted small" translate="no" text={id} />
        </div>
      ))}
    </Quoted>
  );
}

function BatchOffer({ client, isArmed }: { client: string; isArmed: boolean }) {
  const { link, toasts } = useStores();
  const nameOf = useClientName();
  const [isChosen, setIsChosen] = useState(false);
  const choose = (next: boolean) =>
    void toasts.attempt(async () => {
      await link.call('clients.setBatch', { client, enabled: next || null });
      setIsChosen(next);
    });
  return (
    <div>
      <Button
        look="quiet"
        icon={ListChecks}
        aria-pressed={isChosen}
        disabled={!isArmed}
        onClick={() => choose(!isChosen)}
      >
        {t('Let this client send such calls together')}
      </Button>
      <p role="status" className="muted small">
        {isChosen &&
          t('{client} can now send many calls at once. You answer one question about all of them.', {
            client: nameOf(client),
          })}
      </p>
    </div>
  );
}
