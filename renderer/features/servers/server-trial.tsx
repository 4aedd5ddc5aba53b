/** The result of testing a server that is not saved yet. */
import { CircleCheck } from 'lucide-react';
import type { ServerTrial } from '../../../shared/model/server.ts';
import { count, duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';

export function TrialResult({ trial: { failure, toolCount, durationMs, version } }: { trial: ServerTrial }) {
  if (failure?.code === 'SERVER_AUTH_REQUIRED')
    return <p className={noteStyles.note}>The server answers and needs a sign-in. Save it, then sign in.</p>;
  if (failure) return <FailureBox failure={failure} />;
  return (
    <p className={noteStyles.note}>
      <CircleCheck className="icon" aria-hidden /> The server works: {count(toolCount, 'tool')}
      {version && (
        <>
          , version <VisibleText text={version} />
        </>
      )}
      , in {duration(durationMs)}.
    </p>
  );
}
