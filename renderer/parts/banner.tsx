/** What concerns the whole window: no connection, a refused token, paused, a broken config file. */
import { CirclePause, FileWarning, KeyRound, Play, RotateCw, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { Button } from './button.tsx';

export function Banner() {
  const { link, status, config, notices } = useStores();
  const { status: connection } = useStore(link.state);
  const { data } = useResource(status);
  const problems = useResource(config).data?.validation.problems ?? [];

  if (connection === 'refused') return <Refused />;
  if (connection === 'lost')
    return (
      <div className="banner banner-bad" role="alert">
        <Unplug className="icon" aria-hidden />
        <p>
          <strong>Gatehouse does not answer.</strong> What you see may be out of date. Trying again…
        </p>
        <Button icon={RotateCw} onClick={link.retryNow}>
          Try now
        </Button>
      </div>
    );
  if (data?.paused)
    return (
      <div className="banner banner-warn" role="status">
        <CirclePause className="icon" aria-hidden />
        <p>
          <strong>Gatehouse is paused.</strong> Agents cannot run any tool until you resume it.
        </p>
        <Button icon={Play} onClick={() => void notices.attempt(() => link.call('core.pause', { paused: false }))}>
          Resume
        </Button>
      </div>
    );
  if (problems.length > 0)
    return (
      <div className="banner banner-warn" role="status">
        <FileWarning className="icon" aria-hidden />
        <p>
          <strong>The config file has a mistake.</strong> The last good configuration keeps running.
        </p>
        <a className="button button-plain" href={hrefOf('settings')}>
          See what is wrong
        </a>
      </div>
    );
  return null;
}

function Refused() {
  return (
    <div className="refused" role="alert">
      <KeyRound className="empty-icon" aria-hidden />
      <h1>This page needs its full address</h1>
      <p>
        Gatehouse only talks to pages that bring the token of the running program. Open the address that{' '}
        <code>gatehouse serve</code> or <code>npm start</code> printed, with everything after the <code>#</code>. A new
        start makes a new token.
      </p>
    </div>
  );
}
