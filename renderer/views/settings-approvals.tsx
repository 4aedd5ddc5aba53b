/** When a person is asked, and what they have allowed beyond one call. */
import { ShieldOff } from 'lucide-react';
import { useMemo } from 'react';
import type { CommandOutput } from '../../shared/contract.ts';
import type { GrantView } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { conditionWords } from '../parts/condition-words.ts';
import { Select } from '../parts/controls.tsx';
import { count, duration, moment } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox } from '../parts/states.tsx';
import { createResource, useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { stepsWith, useSettings } from './use-settings.ts';

const minute = 60_000;
const waits = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * minute);

function waitWords(ms: number): string {
  if (ms === 60 * minute) return '1 hour';
  return ms % minute === 0 ? count(ms / minute, 'minute') : duration(ms);
}

type WhenOff = CommandOutput<'settings.show'>['whenOff'];

export function ApprovalSettings() {
  const { link, notices } = useStores();
  const { data, save } = useSettings();
  const resource = useMemo(
    () => createResource(link, () => link.call('grants.list'), ['calls.recorded', 'core.changed']),
    [link],
  );
  const { data: grants, failure } = useResource(resource);

  async function revoke(grant: GrantView): Promise<void> {
    await notices.attempt(
      () => link.call('grants.revoke', { id: grant.id }).then(() => resource.load()),
      `${grant.tool} asks again.`,
    );
  }
  return (
    <>
      <Section title="Questions">
        {data && (
          <div className="setting">
            <Select
              label="A question waits for"
              value={String(data.questionTimeoutMs)}
              options={stepsWith(waits, data.questionTimeoutMs, waitWords)}
              onChange={(chosen) => save({ questionTimeoutMs: Number(chosen) })}
            />
            <p className="field-hint">A call that nobody has allowed by then does not run.</p>
          </div>
        )}
      </Section>
      <Section title="Tools that are off">
        {data && (
          <div className="setting">
            <Select
              label="When an app asks for one"
              value={data.whenOff}
              options={[
                ['ask', 'Ask me whether to switch it on'],
                ['notify', 'Only tell me'],
                ['never', 'Do nothing'],
              ]}
              onChange={(whenOff) => save({ whenOff: whenOff as WhenOff })}
            />
            <p className="field-hint">
              The app is told that the tool is off, whatever you choose. Who answers the questions of a tool is chosen
              for each app under <a href={hrefOf('clients')}>Clients</a>.
            </p>
          </div>
        )}
      </Section>
      <Section title="Standing approvals">
        {failure && <FailureBox failure={failure} />}
        {grants?.length === 0 && (
          <p className="muted">
            None. When you allow a call for longer than once, it is listed here and can be taken back.
          </p>
        )}
        {grants && grants.length > 0 && (
          <ul className="rows rows-card">
            {grants.map((grant) => (
              <li key={grant.id} className="row row-still">
                <span className="row-main">
                  <span className="row-title">
                    <VisibleText text={grant.tool} />
                    <span className="muted small">
                      on <VisibleText text={grant.server} />
                    </span>
                  </span>
                  <span className="row-wrap">
                    <VisibleText text={grant.client} /> may run it {untilWords(grant)}, given {moment(grant.grantedAt)}
                  </span>
                  {grant.conditions.map((condition) => (
                    <span key={conditionWords(condition)} className="row-wrap">
                      Only if <VisibleText text={conditionWords(condition)} />
                    </span>
                  ))}
                </span>
                <Button
                  icon={ShieldOff}
                  aria-label={`Take back the approval of ${grant.tool}`}
                  onClick={() => void revoke(grant)}
                >
                  Take back
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function untilWords({ expiresAt, scope }: GrantView): string {
  if (expiresAt) return `until ${moment(expiresAt)}`;
  return scope === 'session' ? 'until it disconnects' : 'always';
}
