/** Approval settings, and the grants that outlive one call. */
import { Crosshair, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import type { Destination, GrantView } from '../../../shared/model/question.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { Select } from '../../components/controls.tsx';
import { duration, moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { describeCondition } from '../questions/describe-condition.ts';
import settingsStyles from './settings.module.css';
import { AllowedDestinations, LimitDialog } from './settings-destinations.tsx';
import { stepOptions, useSettings } from './use-settings.ts';

const minute = 60_000;
const timeoutsMs = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * minute);

function timeoutLabel(ms: number): string {
  if (ms === 60 * minute) return t('1 hour');
  return ms % minute === 0
    ? t('{count, plural, one {# minute} other {# minutes}}', { count: ms / minute })
    : duration(ms);
}

type EnableRequests = CommandOutput<'settings.show'>['enableRequests'];

export function ApprovalSettings() {
  const { link, toasts } = useStores();
  const { data, save } = useSettings();
  const { data: grants, failure, load } = useCommand('grants.list', ['calls.recorded', 'core.changed']);
  const [limiting, setLimiting] = useState<{ grant: GrantView; used: Destination[] }>();

  async function review(grant: GrantView): Promise<void> {
    await toasts.attempt(async () => {
      setLimiting({ grant, used: await link.call('grants.usedDestinations', { id: grant.id }) });
    });
  }
  async function limit(grant: GrantView, destinations: Destination[]): Promise<void> {
    await toasts.attempt(
      () => link.call('grants.limit', { id: grant.id, destinations }).then(load),
      t('The approval now covers only known destinations.'),
    );
  }
  async function revoke(grant: GrantView): Promise<void> {
    await toasts.attempt(
      () => link.call('grants.revoke', { id: grant.id }).then(load),
      isForServer(grant)
        ? t('Approval revoked. Tools on {server} need approval again.', { server: grant.server })
        : t('Approval revoked. {tool} needs approval again.', { tool: grant.tool }),
    );
  }
  return (
    <>
      <Section title={t('Questions')}>
        {data && (
          <div className={settingsStyles.setting}>
            <Select
              label={t('Questions expire after')}
              value={String(data.questionTimeoutMs)}
              options={stepOptions(timeoutsMs, data.questionTimeoutMs, timeoutLabel)}
              hint={t('A call that is not approved in time is denied.')}
              onChange={(chosen) => save({ questionTimeoutMs: Number(chosen) })}
            />
          </div>
        )}
      </Section>
      <Section title={t('Disabled tools')}>
        {data && (
          <div className={settingsStyles.setting}>
            <Select
              label={t('When a client tries to use one')}
              value={data.enableRequests}
              options={[
                ['ask', t('Ask me whether to enable it')],
                ['notify', t('Only notify me')],
                ['never', t('Do nothing')],
              ]}
              hint={
                <T
                  text="In each case, the client’s error says that the tool is disabled. To choose where a client’s questions are shown, go to <link>Clients</link>."
                  link={(text) => <a href={hrefOf('clients')}>{text}</a>}
                />
              }
              onChange={(enableRequests) => save({ enableRequests: enableRequests as EnableRequests })}
            />
          </div>
        )}
      </Section>
      <Section title={t('Saved approvals')}>
        {failure && <FailureBox failure={failure} />}
        {grants?.length === 0 && (
          <p className="muted">{t('None. Approvals for more than one call appear here, where you can revoke them.')}</p>
        )}
        {grants && grants.length > 0 && (
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
            {grants.map((grant) => (
              <li key={grant.id} className={`${rowsStyles.row} ${rowsStyles.rowStill}`}>
                <span className={rowsStyles.rowMain}>
                  <span className={rowsStyles.rowTitle}>
                    <VisibleText text={isForServer(grant) ? t('Every tool except dangerous ones') : grant.tool} />
                    <span className="muted small">
                      <T text="on {server}" server={<VisibleText text={grant.server} />} />
                    </span>
                    {coversAnywhere(grant) && <Badge>{t('any destination')}</Badge>}
                  </span>
                  <span className="muted small">
                    <T
                      text="{client}, {expiry}, granted {time}"
                      client={grant.client ? <ClientName name={grant.client} /> : t('Every client')}
                      expiry={expiry(grant)}
                      time={moment(grant.grantedAt)}
                    />
                  </span>
                  {[...(grant.choices ?? []), ...grant.conditions].map((condition) => (
                    <span key={describeCondition(condition)} className="muted small">
                      <T text="Only if {condition}" condition={<VisibleText text={describeCondition(condition)} />} />
                    </span>
                  ))}
                </span>
                {coversAnywhere(grant) && (
                  <Button icon={Crosshair} onClick={() => void review(grant)}>
                    {t('Limit to known destinations')}
                  </Button>
                )}
                <Button
                  icon={ShieldOff}
                  aria-label={
                    isForServer(grant)
                      ? t('Revoke the approval for tools on {server}', { server: grant.server })
                      : t('Revoke the approval for {tool}', { tool: grant.tool })
                  }
                  onClick={() => void revoke(grant)}
                >
                  {t('Revoke')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <AllowedDestinations />
      {limiting && (
        <LimitDialog
          {...limiting}
          onLimit={() => void limit(limiting.grant, limiting.used)}
          onClose={() => setLimiting(undefined)}
        />
      )}
    </>
  );
}

/** True if the approval allows calls to destinations that the user has never seen. */
const coversAnywhere = ({ destinations, conditions }: GrantView) =>
  destinations === undefined && conditions.length === 0;

/** True if the grant covers every tool of the server except dangerous ones. */
const isForServer = ({ covers }: GrantView) => covers === 'acts';

function expiry({ expiresAt, scope }: GrantView): string {
  if (expiresAt) return t('until {time}', { time: moment(expiresAt) });
  return scope === 'session' ? t('until it disconnects') : t('no expiry');
}
