/** The details of a history entry: its reasons and times, the request and the response, and actions. */

import { Braces, Copy, RotateCcw, ShieldPlus, Terminal } from 'lucide-react';
import { asCurlCommand, asToolkeepCommand } from '../../../shared/copy-call.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../components/copy-block.tsx';
import { clock } from '../../components/format.ts';
import { JsonText } from '../../components/json-text.tsx';
import { Menu } from '../../components/menu.tsx';
import { ResultView } from '../../components/result-view.tsx';
import { FoldableText, VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf, navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { type HistoryEntry, kindLabels } from './entries.ts';
import styles from './history.module.css';
import { Timeline } from './timeline.tsx';

export function EntryDetails({ entry: { main, records } }: { entry: HistoryEntry }) {
  const recorded = parseJson(main.arguments);
  const args = isObject(recorded) ? recorded : undefined;
  return (
    <div className={styles.recordMore}>
      <Why records={records} />
      {main.kind === 'call' && <Timeline call={main} />}
      <h3>{t('Request')}</h3>
      {main.arguments ? (
        args ? (
          <JsonText value={args} />
        ) : (
          <FoldableText mono text={main.arguments} />
        )
      ) : (
        <p className="muted">{main.kind === 'call' ? t('No arguments.') : t('Only the outcome is recorded.')}</p>
      )}
      {main.kind === 'call' && main.outcome !== 'refused' && main.callId && (
        <Response call={main} callId={main.callId} />
      )}
      <Actions main={main} records={records} args={args} />
    </div>
  );
}

/** The record of a call has the time of its start. */
const endOf = ({ kind, at, durationMs }: CallRecord) => (kind === 'call' ? at + durationMs : at);

/** Why the call needed approval, was refused or failed, and the decisions about it. */
function Why({ records }: { records: readonly CallRecord[] }) {
  const lines = records.toReversed().flatMap((record) => {
    const { kind } = record;
    const reasons = kind === 'approval' ? (record.reasons ?? []) : [];
    const message = kind === 'call' ? record.message : undefined;
    return kind === 'call' && !message ? [] : [{ record, reasons, message }];
  });
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{t('What happened')}</h3>
      <ul className={styles.recordRelated}>
        {lines.map(({ record, reasons, message }) => (
          <li key={record.id}>
            {kindLabels[record.kind]}: <VisibleText text={message ?? outcomeLabel(record, t)} />{' '}
            {record.code && <span className="muted mono">{record.code}</span>}{' '}
            <time className="muted" dateTime={new Date(endOf(record)).toISOString()}>
              {clock(endOf(record))}
            </time>
            {reasons.length > 0 && (
              <p className="muted">
                <T text="Needed approval because: {reasons}" reasons={<VisibleText text={reasons.join('; ')} />} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Response({ call, callId }: { call: CallRecord; callId: string }) {
  const { data, failure } = useCommand('calls.result', [], { callId, at: call.at });
  if (!data && !failure) return null;
  const kept = data?.kept;
  return (
    <>
      <h3>{t('Response')}</h3>
      {!data ? (
        <p>{failure?.message}</p>
      ) : kept ? (
        <>
          {isObject(kept.result.error) ? (
            <JsonText value={kept.result.error} />
          ) : (
            <ResultView result={kept.result} by={call.server} note={t('Secrets are redacted')} />
          )}
          {kept.isShortened && <p className="muted">{t('Only the beginning of the response is kept.')}</p>}
        </>
      ) : (
        <p className="muted">
          <T
            text="No longer kept. To change how long Toolkeep keeps results, go to <link>Settings › General</link>."
            link={(text) => <a href={hrefOf('settings')}>{text}</a>}
          />
        </p>
      )}
    </>
  );
}

interface ActionsProps {
  main: CallRecord;
  records: readonly CallRecord[];
  args: Record<string, unknown> | undefined;
}

function Actions({ main, records, args }: ActionsProps) {
  const { replay, rules, status, toasts } = useStores();
  const url = useResource(status).data?.http?.url;
  const { server, tool } = main;
  const call = args && { server, tool, arguments: args };
  const copy = (text: string) => void copyText(text).then(() => toasts.success(t('Copied.')));
  if (!server || !tool) return null;
  return (
    <div className={`${styles.recordActions} line`}>
      {main.kind === 'call' && (
        <Button
          icon={RotateCcw}
          disabled={!call}
          title={call ? undefined : t('The history contains only the beginning of these arguments.')}
          onClick={() => {
            if (call) replay.start(call);
            navigate('tools', server, tool);
          }}
        >
          {t('Run again…')}
        </Button>
      )}
      <Button
        icon={ShieldPlus}
        onClick={() => {
          rules.propose({ server, pattern: [tool], active: true });
          navigate('rules');
        }}
      >
        {t('Make a rule…')}
      </Button>
      <Menu
        label={t('Copy entry')}
        text={t('Copy')}
        icon={Copy}
        items={[
          { label: t('As JSON'), icon: Braces, onSelect: () => copy(JSON.stringify(records, null, 2)) },
          {
            label: t('As toolkeep execute'),
            icon: Terminal,
            disabled: !call,
            onSelect: () => call && copy(asToolkeepCommand(call)),
          },
          {
            label: t('As curl'),
            icon: Terminal,
            disabled: !call || !url,
            onSelect: () => call && url && copy(asCurlCommand(call, url)),
          },
        ]}
      />
      <a href={hrefOf('tools', server, tool)}>{t('Show tool')}</a>
    </div>
  );
}
