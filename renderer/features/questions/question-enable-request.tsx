/** An agent tried to use a disabled tool: why it is disabled, what changed, and whether to enable it. */
import { Power, TriangleAlert } from 'lucide-react';
import type { DisabledReason } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { DefinitionDiff } from '../../components/definition-diff.tsx';
import { TextList } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { heldTexts } from '../tools/held-texts.ts';
import { type BodyProps, RequestBody } from './question-body.tsx';

const reasonTexts: Record<DisabledReason, { why: string; allow: string; keep: string }> = {
  rule: { why: t('A rule disables this tool.'), allow: t('Enable tool'), keep: t('Keep disabled') },
  override: { why: t('You disabled this tool.'), allow: t('Enable tool'), keep: t('Keep disabled') },
  changed: { why: heldTexts.changed.why, allow: heldTexts.changed.accept, keep: t('Keep held') },
  suspicious: { why: heldTexts.suspicious.why, allow: heldTexts.suspicious.accept, keep: t('Keep held') },
  new: { why: heldTexts.new.why, allow: heldTexts.new.accept, keep: t('Keep held') },
  server: {
    why: t('You disabled this server and all its tools.'),
    allow: t('Enable server'),
    keep: t('Keep disabled'),
  },
};

const textsOfAdded = (count: number) => ({
  why: t(
    'A call of this tool added {count, plural, one {# tool} other {# tools}} to the server. Read {count, plural, one {its definition} other {their definitions}} before you accept {count, plural, one {it} other {them}}.',
    { count },
  ),
  allow: t('{count, plural, one {Accept tool} other {Accept # tools}}', { count }),
  keep: t('Keep held'),
});

export function EnableRequestBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { enableRequest } = question;
  if (!enableRequest) return null;
  const { added, change, reason } = enableRequest;
  const { why, allow, keep } = added === undefined ? reasonTexts[reason] : textsOfAdded(added);
  return (
    <RequestBody
      question={question}
      icon={TriangleAlert}
      wish={why}
      details={
        change && (
          <>
            {change.findings.length > 0 && <TextList texts={change.findings} />}
            <DefinitionDiff before={change.before} after={change.after} />
          </>
        )
      }
      note={
        added === undefined
          ? t('Nothing has run yet. Dangerous tools still need approval for each call.')
          : t('None of these tools has run yet. Dangerous tools still need approval for each call.')
      }
      allow={
        <Button icon={Power} onClick={() => void questions.answer(question, { action: 'accept' })}>
          {allow}
        </Button>
      }
      refuse={keep}
    />
  );
}
