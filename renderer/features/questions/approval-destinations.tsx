/** Where a call goes: new destinations in full with what helps to judge them, known ones collapsed. */
import { TriangleAlert } from 'lucide-react';
import { differenceTo } from '../../../shared/look-alike.ts';
import type { NewDestination, ShownDestinations } from '../../../shared/model/question.ts';
import { moment } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';
import { kindLabel } from './describe-destination.ts';
import questionsStyles from './questions.module.css';

interface DestinationsProps {
  destinations: ShownDestinations;
}

/** The element that shows a new destination, which describes the title of the question. */
export const newDestinationId = (_: unknown, index: number) => `new-destination-${index}`;

export function ApprovalDestinations({ destinations }: DestinationsProps) {
  const { known, isRecognized } = destinations;
  if (!isRecognized) return <NewDestinations destinations={destinations} />;
  return (
    <section className={`${questionsStyles.destinations} stack-closest`}>
      {destinations.new.length > 0 && <h2>{newDestinationsTitle(destinations)}</h2>}
      <NewDestinations destinations={destinations} idOf={newDestinationId} />
      {known.length > 0 && (
        <details>
          <summary>
            {t('{count, plural, one {# known destination} other {# known destinations}}', { count: known.length })}
          </summary>
          <ul>
            {known.map(({ kind, value }) => (
              <VisibleText as="li" key={`${kind} ${value}`} text={value} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

export const newDestinationsTitle = (destinations: ShownDestinations) =>
  t('{count, plural, one {New destination} other {# new destinations}}', { count: destinations.new.length });

/** Lists the destinations that the user has not allowed, and says if Toolkeep cannot tell or compare them. */
export function NewDestinations({ destinations, idOf }: DestinationsProps & { idOf?: typeof newDestinationId }) {
  const { isRecognized, isComplete } = destinations;
  if (!isRecognized) return <p className={questionsStyles.unread}>{t('Toolkeep cannot tell where this call goes.')}</p>;
  return (
    <>
      {destinations.new.length > 0 && (
        <ul>
          {destinations.new.map((destination, index) => (
            <li key={`${destination.kind} ${destination.value}`}>
              <NewOne destination={destination} id={idOf?.(destination, index)} />
            </li>
          ))}
        </ul>
      )}
      {!isComplete && (
        <p>{t('Toolkeep cannot compare every destination of this call, so it asks about each such call.')}</p>
      )}
    </>
  );
}

function NewOne({ destination, id }: { destination: NewDestination; id: string | undefined }) {
  const { kind, value, resembles, seen } = destination;
  return (
    <>
      <p>
        <strong id={id} className="mono" translate="no">
          <Compared text={value} other={resembles} />
        </strong>{' '}
        <VisibleText as="span" className="muted small" text={kindLabel(kind)} />
      </p>
      {resembles && (
        <p className={`${questionsStyles.resembles} warn`}>
          <TriangleAlert className="icon" aria-hidden />
          <span>
            <T
              text="It resembles {known}, which you have allowed, but it is another destination."
              known={<Compared text={resembles} other={value} />}
            />
          </span>
        </p>
      )}
      <p className="muted small">
        {seen ? (
          <T
            text="First in a result of “{tool}” on “{server}”, {time}: {quote}"
            tool={<VisibleText text={seen.tool} />}
            server={<VisibleText text={seen.server} />}
            time={moment(seen.at)}
            quote={
              <q>
                <VisibleText text={seen.before} />
                <VisibleText as="mark" text={value} />
                <VisibleText text={seen.after} />
              </q>
            }
          />
        ) : (
          t('It is in no result that Toolkeep kept. The agent or you wrote it.')
        )}
      </p>
    </>
  );
}

/** Marks the part of `text` in which it differs from `other`. */
function Compared({ text, other }: { text: string; other: string | undefined }) {
  const { before, middle, after } = differenceTo(text, other ?? text);
  if (middle === '') return <VisibleText text={text} />;
  return (
    <>
      <VisibleText text={before} />
      <VisibleText as="mark" text={middle} />
      <VisibleText text={after} />
    </>
  );
}
