/** The second step of an approval for more than one call: what it covers, and conditions that narrow it. */
import { ArrowLeft, Check as CheckIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Condition, DestinationCover, GrantScope, Question } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { Check, withItem } from '../../components/controls.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';
import { describeCondition } from './describe-condition.ts';
import questionsStyles from './questions.module.css';

const allowLabels: Record<GrantScope, string> = {
  once: t('Allow once'),
  session: t('Allow for this session'),
  minutes: t('Allow for 15 minutes'),
  day: t('Allow for 24 hours'),
  always: t('Always allow'),
};

interface ApprovalScopeProps {
  scope: GrantScope;
  from: Question['from'];
  conditions: readonly Condition[];
  /** Conditions that the user cannot remove. */
  choices: readonly Condition[];
  covers: 'tool' | 'acts' | 'destinations';
  /** The destinations that the user can allow; the narrowest first. */
  offers: readonly DestinationCover[];
  /** The calls that the choice of any destination covers. */
  anyCovers: 'tool' | 'acts';
  /** The mail domains of the call's new destinations. */
  domains: readonly string[];
  /** The sites of the call's new web addresses that name a page. */
  sites: readonly string[];
  canAllow: boolean;
  /** `conditions`: the indexes of the selected ones. */
  onAllow(chosen: { conditions: number[]; destinations?: DestinationCover }): void;
  onBack(): void;
}

/** Starts with the narrowest conditions selected: of the folders, only the first. */
export function ApprovalScope({
  scope,
  from,
  conditions,
  choices,
  covers,
  offers,
  anyCovers,
  domains,
  sites,
  canAllow,
  onAllow,
  onBack,
}: ApprovalScopeProps) {
  const [selected, setSelected] = useState<readonly number[]>(() =>
    conditions.flatMap(({ kind }, index) => (kind === 'inside' && index > 0 ? [] : [index])),
  );
  const [cover, setCover] = useState(offers[0]);
  const isNarrowed = selected.length > 0;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <div className={questionsStyles.questionActions}>
      {conditions.length + choices.length > 0 && (
        <fieldset className={questionsStyles.conditions}>
          <legend>{t('Allow later calls only if')}</legend>
          {choices.map((condition) => (
            <Check key={describeCondition(condition)} checked disabled>
              <VisibleText text={describeCondition(condition)} />
            </Check>
          ))}
          {conditions.map((condition, index) => (
            <Check
              key={describeCondition(condition)}
              checked={selected.includes(index)}
              onChange={(isSet) => setSelected(withItem(selected, index, isSet))}
            >
              <VisibleText text={describeCondition(condition)} />
            </Check>
          ))}
        </fieldset>
      )}
      {offers.length > 0 && !isNarrowed && (
        <fieldset className={questionsStyles.conditions}>
          <legend>{t('Allow later calls to')}</legend>
          {offers.map((offer) => (
            <Check key={offer} radio="destinations" checked={offer === cover} onChange={() => setCover(offer)}>
              <CoverLabel offer={offer} domains={domains} sites={sites} anyCovers={anyCovers} server={from.server} />
            </Check>
          ))}
        </fieldset>
      )}
      <p className={questionsStyles.unread}>
        <span>
          <Coverage
            from={from}
            covers={covers === 'destinations' && cover === 'any' ? anyCovers : covers}
            isLimited={isNarrowed || choices.length > 0}
            isAnywhere={isNarrowed || cover === undefined || cover === 'any'}
          />
        </span>
      </p>
      <div className={questionsStyles.scopeActions}>
        <Button ref={back} icon={ArrowLeft} onClick={onBack}>
          {t('Back')}
        </Button>
        <fieldset disabled={!canAllow}>
          <legend className="sr-only">{t('Allow')}</legend>
          <Button
            look="primary"
            icon={CheckIcon}
            onClick={() => onAllow({ conditions: [...selected], ...(!isNarrowed && cover && { destinations: cover }) })}
          >
            {allowLabels[scope]}
          </Button>
        </fieldset>
      </div>
    </div>
  );
}

function CoverLabel({
  offer,
  domains,
  sites,
  anyCovers,
  server,
}: Pick<ApprovalScopeProps, 'domains' | 'sites' | 'anyCovers'> & {
  offer: DestinationCover;
  server: string | undefined;
}) {
  if (offer === 'domain') return <T text="Everyone at {domains}" domains={<VisibleText text={domains.join(', ')} />} />;
  if (offer === 'site') return <T text="Every page of {sites}" sites={<VisibleText text={sites.join(', ')} />} />;
  if (offer === 'these') return t('Only destinations that you have allowed, with those of this call');
  if (anyCovers === 'tool') return t('Any destination, without a question');
  return (
    <T
      text="Any destination, in all calls to “{server}” that are not dangerous, without a question"
      server={<VisibleText text={server ?? t('the server')} />}
    />
  );
}

/** The names are quoted, because the server, the tool and the client chose them. */
function Coverage({
  from,
  covers,
  isLimited,
  isAnywhere,
}: Pick<ApprovalScopeProps, 'from' | 'covers'> & { isLimited: boolean; isAnywhere: boolean }) {
  const names = {
    server: <VisibleText text={from.server ?? t('the server')} />,
    tool: <VisibleText text={from.tool ?? t('the tool')} />,
    client: <ClientName name={from.client ?? t('this client')} />,
  };
  if (covers === 'destinations' && !isAnywhere)
    return (
      <T text="This lets {client} use the new destinations on “{server}” in calls that you have allowed." {...names} />
    );
  if (covers === 'acts')
    return isAnywhere ? (
      <T text="This covers calls by {client} to every tool on “{server}” except dangerous ones." {...names} />
    ) : (
      <T
        text="This covers calls by {client} to every tool on “{server}” except dangerous ones. Toolkeep asks before a call to a new destination."
        {...names}
      />
    );
  if (isLimited) return <T text="This covers such calls by {client} to “{tool}” on “{server}”." {...names} />;
  return isAnywhere ? (
    <T text="This covers every call by {client} to “{tool}” on “{server}”, with any arguments." {...names} />
  ) : (
    <T
      text="This covers calls by {client} to “{tool}” on “{server}”. Toolkeep asks before a call to a new destination."
      {...names}
    />
  );
}
