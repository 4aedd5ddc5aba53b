/** The calls of one tool in a batch: common arguments above, a row with a tick for each call. */
import { ShieldAlert } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ShownDestinations } from '../../../shared/model/question.ts';
import { ArgumentsView } from '../../components/arguments-view.tsx';
import { FullText, VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';
import { NewDestinations, newDestinationsTitle } from './approval-destinations.tsx';
import type { BatchGroup } from './batch-columns.ts';
import styles from './question-batch.module.css';
import questionsStyles from './questions.module.css';

interface BatchGroupProps {
  group: BatchGroup;
  /** The question's first rows, which are shown at once. The others follow in the next frames. */
  shownCount: number;
  ticked: ReadonlySet<number>;
  /** The calls whose end has been visible. */
  seen: ReadonlySet<number>;
  onTick(indexes: readonly number[], isTicked: boolean): void;
  onSeen(index: number): void;
}

export function BatchGroupTable({ group, shownCount, ticked, seen, onTick, onSeen }: BatchGroupProps) {
  const { server, tool, reasons, isDangerous, constant, columns, destinations, calls } = group;
  const heading = useId();
  const indexes = calls.map(({ index }) => index);
  const shown = calls.filter(({ index }) => index < shownCount);
  const count = indexes.filter((index) => ticked.has(index)).length;
  const canTick = ({ index, row }: (typeof calls)[number]) => !row.mustSee || seen.has(index);
  return (
    <section className={styles.group} aria-labelledby={heading}>
      <h2 id={heading}>
        {t('{count, plural, one {# call} other {# calls}}', { count: calls.length })} · <VisibleText text={server} /> ›{' '}
        <VisibleText text={tool} />
      </h2>
      <p className={isDangerous ? styles.danger : 'muted small'}>
        {isDangerous && <ShieldAlert className="icon" aria-hidden />}
        <span>
          {isDangerous && `${t('Dangerous')}: `}
          {reasons.map((reason) => (
            <span key={reason}>
              <VisibleText text={reason} />{' '}
            </span>
          ))}
        </span>
      </p>
      {destinations && isMarked(destinations) && <Destinations destinations={destinations} />}
      {Object.keys(constant).length > 0 && (
        <>
          <h3>{calls.length === 1 ? t('Arguments') : t('The same in every call')}</h3>
          <ArgumentsView values={constant} />
        </>
      )}
      <table className={styles.table} aria-labelledby={heading}>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={t('Tick all calls of {tool}', { tool })}
                checked={count === indexes.length}
                disabled={!calls.every(canTick)}
                onChange={({ target }) => onTick(indexes, target.checked)}
              />
            </th>
            <th scope="col">{t('Call')}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                <VisibleText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((call) => (
            <Call
              key={call.index}
              group={group}
              call={call}
              isTicked={ticked.has(call.index)}
              canTick={canTick(call)}
              onTick={onTick}
              onSeen={onSeen}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CallProps extends Pick<BatchGroupProps, 'group' | 'onTick' | 'onSeen'> {
  call: BatchGroup['calls'][number];
  isTicked: boolean;
  canTick: boolean;
}

function Call({ group, call, isTicked, canTick, onTick, onSeen }: CallProps) {
  const { tool, columns, hasOwnDestinations } = group;
  const { index, row } = call;
  const own = hasOwnDestinations && row.destinations && isMarked(row.destinations) ? row.destinations : undefined;
  const mark = row.mustSee && <SeenMark index={index} onSeen={onSeen} />;
  return (
    <>
      <tr>
        <td>
          <input
            type="checkbox"
            aria-label={t('Call {number, number}: {tool} {values}', {
              number: index + 1,
              tool,
              values: [
                ...columns.map((name) => shortText(row.arguments, name)),
                ...(row.destinations?.new.length ? [t('new destination')] : []),
              ].join(', '),
            })}
            checked={isTicked}
            disabled={!canTick}
            onChange={({ target }) => onTick([index], target.checked)}
          />
        </td>
        <th scope="row">
          {index + 1}
          {!own && columns.length === 0 && mark}
        </th>
        {columns.map((name, at) => (
          <td key={name}>
            <VisibleText as="span" className={styles.columnName} aria-hidden text={name} />
            {Object.hasOwn(row.arguments, name) ? (
              <FullText text={readable(row.arguments[name])} />
            ) : (
              <span className="muted">{t('not set')}</span>
            )}
            {!own && at === columns.length - 1 && mark}
          </td>
        ))}
      </tr>
      {own && (
        <tr>
          <td />
          <td className={styles.marked} colSpan={columns.length + 1}>
            <Destinations destinations={own} />
            {mark}
          </td>
        </tr>
      )}
    </>
  );
}

function Destinations({ destinations }: { destinations: ShownDestinations }) {
  return (
    <div className={`${questionsStyles.destinations} stack-closest`}>
      {destinations.new.length > 0 && <h3>{newDestinationsTitle(destinations)}</h3>}
      <NewDestinations destinations={destinations} />
    </div>
  );
}

/** Whether the user must know more about where the call goes. */
const isMarked = (shown: ShownDestinations) => shown.new.length > 0 || !shown.isComplete || !shown.isRecognized;

/** Reports that the end of its row has been visible. */
function SeenMark({ index, onSeen }: { index: number; onSeen(index: number): void }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen(index);
    });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, [index, onSeen]);
  return <span ref={mark} className={styles.seenMark} />;
}

/** Strings are shown verbatim, short values on one line, everything else as indented JSON. */
function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : JSON.stringify(value, null, 2);
}

const shortText = (args: Record<string, unknown>, name: string): string =>
  Object.hasOwn(args, name) ? `${name} ${readable(args[name]).slice(0, 200)}` : '';
