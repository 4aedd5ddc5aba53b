/** The log of one server, updated live. */
import { useEffect, useState } from 'react';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { LogEntry } from '../../shared/model/server-log.ts';
import type { Link } from './link.ts';
import { useStores } from './stores.ts';

/** Maximum number of entries. Core keeps fewer, but the window may have entries that Core has dropped. */
const maxEntries = 5_000;

interface LogState {
  entries: readonly LogEntry[] | undefined;
  failure: Failure | undefined;
}

const empty: LogState = { entries: undefined, failure: undefined };

export function useServerLog(server: string): LogState {
  const { link } = useStores();
  const [state, setState] = useState(empty);
  useEffect(() => follow(link, server, setState), [link, server]);
  return state;
}

/** Follows the log. Returns a function that stops following it. */
function follow(link: Link, server: string, onChange: (state: LogState) => void): () => void {
  let entries: readonly LogEntry[] = [];
  let isStopped = false;
  let reading = Promise.resolve();

  async function read(isNewCore: boolean): Promise<void> {
    // A new Core starts its IDs over, so discard the old entries.
    let known: readonly LogEntry[] = isNewCore ? [] : entries;
    for (let more = true; more && !isStopped; ) {
      const page = await link.call('servers.log', { server, after: known.at(-1)?.id ?? 0 });
      known = [...known, ...page.entries].slice(-maxEntries);
      more = page.more;
    }
    if (isStopped) return;
    entries = known;
    onChange({ entries, failure: undefined });
  }
  function readNext(isNewCore: boolean): void {
    reading = reading
      .then(() => read(isNewCore))
      .catch((error) => {
        if (!isStopped) onChange({ entries: entries.length > 0 ? entries : undefined, failure: toFailure(error) });
      });
  }
  const ends = [
    link.onOpen(() => readNext(true)),
    link.on('servers.logged', (event) => {
      if (event.server === server) readNext(false);
    }),
  ];
  return () => {
    isStopped = true;
    for (const end of ends) end();
  };
}
