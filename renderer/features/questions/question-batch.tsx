/** An approval of many calls: each call is a row that the user can leave out. */
import { Ban, Check, Play } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { QuestionRow } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useFirstRows } from '../../components/use-first-rows.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { groupsOf } from './batch-columns.ts';
import { BatchGroupTable } from './batch-group.tsx';
import styles from './question-batch.module.css';
import { AnswerProblem, type BodyProps } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function BatchBody({ question, rows }: BodyProps & { rows: readonly QuestionRow[] }) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const shown = useFirstRows(rows);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(
    () => new Set(rows.flatMap(({ mustSee }, index) => (mustSee ? [] : [index]))),
  );
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const isArmed = useArmed(question.id);
  const canAllow = isArmed && !sending && shown.length === rows.length;
  const unseen = rows.filter(({ mustSee }, index) => mustSee && !seen.has(index)).length;

  const allow = (indexes: Iterable<number>) =>
    void questions.answer(question, { action: 'accept', rows: [...indexes].toSorted((a, b) => a - b) });

  const see = useCallback(
    (index: number) => setSeen((before) => (before.has(index) ? before : new Set(before).add(index))),
    [],
  );

  function tick(indexes: readonly number[], isTicked: boolean): void {
    setTicked((before) => {
      const next = new Set(before);
      for (const index of indexes) {
        if (isTicked) next.add(index);
        else next.delete(index);
      }
      return next;
    });
  }
  return (
    <>
      <ScrollRegion className={`${questionsStyles.questionBody} ${styles.groups}`} label={t('The calls')}>
        {groups.map((group) => (
          <BatchGroupTable
            key={group.calls[0]?.index}
            group={group}
            shownCount={shown.length}
            ticked={ticked}
            seen={seen}
            onTick={tick}
            onSeen={see}
          />
        ))}
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className={questionsStyles.questionActions}>
        <p role="status" className={unseen > 0 ? questionsStyles.unread : 'muted'}>
          {unseen > 0
            ? t(
                '{count, plural, one {Scroll to # call that you have not seen.} other {Scroll to # calls that you have not seen.}}',
                { count: unseen },
              )
            : t('{ticked, number} of {count, number} calls are ticked.', { ticked: ticked.size, count: rows.length })}
        </p>
        <fieldset disabled={!canAllow}>
          <legend>{t('Allow once')}</legend>
          <Button icon={Play} disabled={unseen > 0} onClick={() => allow(rows.keys())}>
            {t('Run all {count, number}', { count: rows.length })}
          </Button>
          <Button look="primary" icon={Check} disabled={ticked.size === 0} onClick={() => allow(ticked)}>
            {t('Run ticked ({count, number})', { count: ticked.size })}
          </Button>
        </fieldset>
        <fieldset className={questionsStyles.deny} disabled={sending}>
          <legend>{t('Deny')}</legend>
          <Button icon={Ban} onClick={() => void questions.answer(question, { action: 'decline' })}>
            {t('Deny')}
          </Button>
        </fieldset>
      </div>
    </>
  );
}
