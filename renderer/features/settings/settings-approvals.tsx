/** Approval settings, and the grants that outlive one call. */
import { ShieldOff } from 'lucide-react';
import { useMemo } from 'react';
import type { GrantView } from '../../../shared/model/question.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Button } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { Select } from '../../components/controls.tsx';
import { count, duration, moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { createResource, useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { describeCondition } from '../questions/describe-condition.ts';
import settingsStyles from './settings.module.css';
import { stepOptions, useSettings } from './use-settings.ts';

const minute = 60_000;
const timeoutsMs = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * minute);

function timeoutLabel(ms: number): string {
  if (ms === 60 * minute) return '1 hour';
  return ms % minute === 0 ? count(ms / minute, 'minute') : duration(ms);
}

type EnableRequests = CommandOutput<'settings.show'>['enableRequests'];

export function ApprovalSettings() {
  const { link, toasts } = useStores();
  const { data, save } = useSettings();
  const resource = useMemo(
    () => createResource(link, () => link.call('grants.list'), ['calls.recorded', 'core.changed']),
    [link],
  );
  const { data: grants, failure } = useResource(resource);

  async function revoke(grant: GrantView): Promise<void> {
    await toasts.attempt(
      () => link.call('grants.revoke', { id: grant.id }).then(() => resource.load()),
      `Approval revoked. ${isForServer(grant) ? `The tools of ${grant.server} need` : `${grant.tool} needs`} approval again.`,
    );
  }
  return (
    <>
      <Section title="Questions">
        {data && (
          <div className={settingsStyles.setting}>
            <Select
              label="Questions expire after"
              value={String(data.questionTimeoutMs)}
              options={stepOptions(timeoutsMs, data.questionTimeoutMs, timeoutLabel)}
              onChange={(chosen) => save({ questionTimeoutMs: Number(chosen) })}
            />
            <p className="field-hint">A call that is not approved in time is denied.</p>
          </div>
        )}
      </Section>
      <Section title="Disabled tools">
        {data && (
          <div className={settingsStyles.setting}>
            <Select
              label="When a client tries to use one"
              value={data.enableRequests}
              options={[
                ['ask', 'Ask me whether to enable it'],
                ['notify', 'Only notify me'],
                ['never', 'Do nothing'],
              ]}
              onChange={(enableRequests) => save({ enableRequests: enableRequests as EnableRequests })}
            />
            <p className="field-hint">
              In each case, the client receives an error that says that the tool is disabled. To choose where a client’s
              questions are shown, go to <a href={hrefOf('clients')}>Clients</a>.
            </p>
          </div>
        )}
      </Section>
      <Section title="Saved approvals">
        {failure && <FailureBox failure={failure} />}
        {grants?.length === 0 && (
          <p className="muted">None. Approvals for more than one call appear here, where you can revoke them.</p>
        )}
        {grants && grants.length > 0 && (
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
            {grants.map((grant) => (
              <li key={grant.id} className={`${rowsStyles.row} ${rowsStyles.rowStill}`}>
                <span className={rowsStyles.rowMain}>
                  <span className={rowsStyles.rowTitle}>
                    <VisibleText text={isForServer(grant) ? 'Every tool except dangerous ones' : grant.tool} />
                    <span className="muted small">
                      on <VisibleText text={grant.server} />
                    </span>
                  </span>
                  <span className={rowsStyles.rowWrap}>
                    {grant.client ? <ClientName name={grant.client} /> : 'Every client'}, {expiry(grant)}, granted{' '}
                    {moment(grant.grantedAt)}
                  </span>
                  {grant.conditions.map((condition) => (
                    <span key={describeCondition(condition)} className={rowsStyles.rowWrap}>
                      Only if <VisibleText text={describeCondition(condition)} />
                    </span>
                  ))}
                </span>
                <Button
                  icon={ShieldOff}
                  aria-label={`Revoke the approval of ${isForServer(grant) ? `the tools of ${grant.server}` : grant.tool}`}
                  onClick={() => void revoke(grant)}
                >
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** True if the grant covers every tool of the server except dangerous ones. */
const isForServer = ({ covers }: GrantView) => covers === 'acts';

function expiry({ expiresAt, scope }: GrantView): string {
  if (expiresAt) return `until ${moment(expiresAt)}`;
  return scope === 'session' ? 'until it disconnects' : 'without a time limit';
}
