/** The story of a day: what each client did, in sentences; changes first. */
import { BookOpen, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { StoryLine, StoryVerb } from '../../../shared/model/story.ts';
import { IconButton } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { ClientName, useClientName } from '../../components/client-name.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { Section } from '../../components/page.tsx';
import { Empty, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import styles from './story.module.css';
import { lineText, spanText, storyText } from './story-text.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });

/** Midnight, `ago` days before today. */
function dayBefore(ago: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago);
}

export function Story() {
  const nameOf = useClientName();
  const [ago, setAgo] = useState(0);
  const day = { from: dayBefore(ago).getTime(), to: dayBefore(ago - 1).getTime() - 1 };
  const { data: sessions, failure, load } = useCommand('history.story', ['calls.recorded'], day);
  const title = ago === 0 ? t('Today') : ago === 1 ? t('Yesterday') : dayFormat.format(dayBefore(ago));
  return (
    <Section
      title={title}
      aside={
        <span className={styles.days}>
          {sessions && sessions.length > 0 && (
            <CopyButton
              text={storyText(dayFormat.format(dayBefore(ago)), sessions, nameOf)}
              label={t('Copy as text')}
            />
          )}
          <IconButton label={t('The day before')} icon={ChevronLeft} onClick={() => setAgo(ago + 1)} />
          <IconButton
            label={t('The next day')}
            icon={ChevronRight}
            disabled={ago === 0}
            onClick={() => setAgo(ago - 1)}
          />
        </span>
      }
    >
      {!sessions && <Unloaded failure={failure} label={t('Loading the story')} rows={3} onRetry={load} />}
      {sessions?.length === 0 && <Empty icon={BookOpen} title={t('No agent made a call on this day.')} />}
      <ol className={`${styles.story} stack`} aria-label={t('Story')}>
        {sessions?.map((session) => (
          <li key={`${session.client} ${session.from}`}>
            <header>
              <ClientLogo name={nameOf(session.client)} />
              <h3>
                <ClientName name={session.client} />
              </h3>
              <span className="muted small">{spanText(session)}</span>
            </header>
            <ul>
              {session.lines.map((line) => (
                <Line key={`${line.verb} ${line.server} ${line.noun}`} line={line} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The classes of the lines about calls that changed nothing. */
const tones: Partial<Record<StoryVerb, string>> = {
  read: 'muted',
  searched: 'muted',
  denied: 'warn',
  refused: 'warn',
  failed: 'bad',
};

function Line({ line }: { line: StoryLine }) {
  return (
    <li className={tones[line.verb] ?? styles.change}>
      <VisibleText text={lineText(line)} />
      {line.examples.length > 0 && (
        <span className={styles.examples}>
          {line.examples.map((name) => (
            <VisibleText as="q" key={name} text={name} />
          ))}
        </span>
      )}
    </li>
  );
}
