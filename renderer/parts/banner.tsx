/** What concerns the whole window: no connection, a refused token, paused, a broken config file. */
import { CirclePause, Download, FileWarning, KeyRound, Play, RotateCw, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { useResource } from '../stores/resource.ts';
import { hrefOf, useRoute } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { Button } from './button.tsx';
import { count } from './format.ts';
import { VisibleText } from './server-text.tsx';

export function Banner() {
  const { link } = useStores();
  const isOpen = useStore(link.state, ({ status }) => status === 'open' || status === 'connecting');
  return isOpen ? <StateBanner /> : <ConnectionBanner />;
}

/** All that a prompt has to say beside its question. */
export function ConnectionBanner() {
  const { link } = useStores();
  const { status } = useStore(link.state);
  if (status === 'refused') return <Refused />;
  if (status !== 'lost') return null;
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
}

function StateBanner() {
  const { link, status, config, notices, offers: offered } = useStores();
  const { data } = useResource(status);
  const offers = useResource(offered).data;
  const { place } = useRoute();
  const problems = useResource(config).data?.validation.problems ?? [];

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
  if (offers && offers.length > 0 && place !== 'import') return <Offers names={offers} />;
  return null;
}

/** What turned up in other apps since the last look. */
function Offers({ names }: { names: readonly string[] }) {
  const { link, notices, offers } = useStores();
  const few = names.slice(0, 3).join(', ');
  return (
    <div className="banner banner-plain" role="status">
      <Download className="icon" aria-hidden />
      <p>
        <strong>{count(names.length, 'new server')} in your other apps:</strong>{' '}
        <VisibleText text={names.length > 3 ? `${few} and ${names.length - 3} more` : few} />
      </p>
      <a className="button button-plain" href={hrefOf('import')}>
        Take over…
      </a>
      <Button
        look="quiet"
        onClick={() => void notices.attempt(() => link.call('import.dismiss').then(() => offers.load()))}
      >
        Not now
      </Button>
    </div>
  );
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
