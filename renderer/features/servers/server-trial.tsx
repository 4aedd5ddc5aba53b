/** The result of testing a server that is not saved yet. */
import { CircleCheck } from 'lucide-react';
import type { ServerTrial } from '../../../shared/model/server.ts';
import { duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';

export function TrialResult({ trial: { failure, toolCount, durationMs, version } }: { trial: ServerTrial }) {
  if (failure?.code === 'SERVER_AUTH_REQUIRED')
    return <p className={noteStyles.note}>{t('The server responds but requires a sign-in. Save it, then sign in.')}</p>;
  if (failure) return <FailureBox failure={failure} />;
  const facts = { count: toolCount, duration: duration(durationMs) };
  return (
    <p className={noteStyles.note}>
      <CircleCheck className="icon" aria-hidden />{' '}
      {version ? (
        <T
          text="The server works: {count, plural, one {# tool} other {# tools}}, version {version}, started in {duration}."
          version={<VisibleText text={version} />}
          {...facts}
        />
      ) : (
        <T text="The server works: {count, plural, one {# tool} other {# tools}}, started in {duration}." {...facts} />
      )}
    </p>
  );
}
