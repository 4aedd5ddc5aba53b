/** Edits one rule of the draft. */
import { useState } from 'react';
import type { Confirm } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Select, TextInput } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { effectWords, scopeWords } from '../parts/rule-words.ts';
import { VisibleText } from '../parts/server-text.tsx';
import { useResource } from '../stores/resource.ts';
import type { DraftRule } from '../stores/rules.ts';
import { useStores } from '../stores/stores.ts';

export function RuleEditor({
  rule,
  onKeep,
  onClose,
}: {
  rule: DraftRule;
  onKeep(rule: DraftRule): void;
  onClose(): void;
}) {
  const { servers } = useStores();
  const known = useResource(servers).data ?? [];
  const [server, setServer] = useState(rule.server ?? '');
  const [patterns, setPatterns] = useState(rule.pattern.join('\n'));
  const [enabled, setEnabled] = useState(rule.enabled === undefined ? '' : rule.enabled ? 'on' : 'off');
  const [confirm, setConfirm] = useState<string>(rule.confirm ?? '');
  const [tags, setTags] = useState((rule.tags ?? []).join(', '));

  const tagList = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const edited: DraftRule = {
    id: rule.id,
    active: rule.active,
    pattern: patterns
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    ...(server ? { server } : {}),
    ...(enabled ? { enabled: enabled === 'on' } : {}),
    ...(confirm ? { confirm: confirm as Confirm } : {}),
    ...(tagList.length > 0 ? { tags: tagList } : {}),
  };
  const isIdle = !enabled && !confirm && tagList.length === 0;
  const serverNames = [...new Set([...(rule.server ? [rule.server] : []), ...known.map(({ id }) => id)])];

  return (
    <Dialog title={rule.pattern.length === 0 && !rule.server ? 'New rule' : 'Edit rule'} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isIdle) onKeep(edited);
        }}
      >
        <div className="dialog-body stack">
          <Select
            label="Server"
            value={server}
            options={[['', 'Every server'], ...serverNames.map((id) => [id, id] as const)]}
            onChange={setServer}
          />
          <TextInput
            mono
            rows={3}
            label="Tools"
            value={patterns}
            placeholder={'*delete*\n!*draft*'}
            hint={
              <>
                One pattern per line; empty means all. <code>*delete*</code> matches a part,{' '}
                <code>/^(create|update)_/i</code> is a regular expression, <code>!*draft*</code> makes an exception.
              </>
            }
            onChange={setPatterns}
          />
          <div className="pair">
            <Select
              label="Agents can use them"
              value={enabled}
              options={[
                ['', 'Leave as it is'],
                ['on', 'Yes, switch on'],
                ['off', 'No, switch off'],
              ]}
              onChange={setEnabled}
            />
            <Select
              label="Ask me before they run"
              value={confirm}
              options={[
                ['', 'Leave as it is'],
                ['auto', 'Only if dangerous'],
                ['always', 'Always'],
                ['never', 'Never'],
              ]}
              onChange={setConfirm}
            />
          </div>
          <TextInput
            optional
            label="Tags"
            value={tags}
            placeholder="risky, billing"
            hint="Separated by commas. Agents find tools by them."
            onChange={setTags}
          />
          <p className="note">
            {isIdle ? (
              'This rule does nothing yet: choose what it decides, or give it a tag.'
            ) : (
              <>
                <strong>{effectWords(edited)}</strong> for <VisibleText text={scopeWords(edited)} />.
              </>
            )}
          </p>
        </div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isIdle}>
            Done
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
