/** Compares the tools of a new version with those of the installed version. */
import { FlagTriangleRight } from 'lucide-react';
import type { Rehearsal, ToolChange } from '../../../shared/model/rehearsal.ts';
import { toolChangeNotes, toolChangeTitles } from '../../../shared/plan-change.ts';
import { Badge, SafetyBadge } from '../../components/badge.tsx';
import { DefinitionDiff } from '../../components/definition-diff.tsx';
import { dotted } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { FailureBox } from '../../components/states.tsx';
import { FoldableText, VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';
import styles from './browse.module.css';

const tones = { added: 'good', changed: 'warn', removed: 'bad' } as const;

export function RehearsalResult({ rehearsal }: { rehearsal: Rehearsal }) {
  const { tools, same, more, failure } = rehearsal;
  if (failure)
    return (
      <>
        <FailureBox failure={failure} />
        <p className={noteStyles.note}>
          {t(
            'The new version may need a real secret to start. If you update, agents cannot use new and changed tools until you accept them.',
          )}
        </p>
      </>
    );
  const others = [
    t('{count, plural, one {# tool} other {# tools}} unchanged', { count: same }),
    more > 0 && t('{count, plural, one {# more difference} other {# more differences}}', { count: more }),
  ];
  return (
    <div role="status">
      {tools.length > 0 && (
        <ul className={`${styles.changes} stack-close`} aria-label={t('Tools in the new version')}>
          {tools.map((change) => (
            <li key={change.name}>
              <ChangedTool change={change} />
            </li>
          ))}
        </ul>
      )}
      <p className="muted">{dotted(others)}</p>
    </div>
  );
}

function ChangedTool({ change }: { change: ToolChange }) {
  const { name, kind, description, safetyBefore, safetyAfter, before, after, findings } = change;
  const level = safetyAfter ?? safetyBefore;
  return (
    <>
      <div className="line">
        <Badge tone={tones[kind]}>{t(toolChangeTitles[kind])}</Badge>
        <VisibleText as="code" text={name} />
        {level && <SafetyBadge level={level} />}
        {findings.length > 0 && (
          <Badge tone="bad" icon={FlagTriangleRight}>
            {t('Suspicious')}
          </Badge>
        )}
      </div>
      {kind === 'added' && description !== '' && <FoldableText text={description} />}
      {[...toolChangeNotes(change, t), ...findings].map((note) => (
        <VisibleText as="p" key={note} className="muted" text={note} />
      ))}
      {kind === 'changed' && <DefinitionDiff before={before} after={after} />}
    </>
  );
}
