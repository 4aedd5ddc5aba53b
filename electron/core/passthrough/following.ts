/** Who follows which resource: a server hears of it once, however many follow, and runs as long as anybody does. */
import type { Upstream } from '../upstream/upstream.ts';

export interface Following {
  /** `tell` subscribes at the server; it is called for the first follower only. */
  follow(caller: string, upstream: Upstream, uri: string, tell: () => Promise<unknown>): Promise<void>;
  /** Tells the server when nobody follows any more. */
  unfollow(caller: string, uri: string): void;
  left(caller: string): void;
}

interface Followed {
  upstream: Upstream;
  uri: string;
  callers: Set<string>;
  /** Lets the server be idle again. */
  release(): void;
}

export function createFollowing(): Following {
  const followed = new Set<Followed>();

  function drop(entry: Followed, caller: string): void {
    if (!entry.callers.delete(caller) || entry.callers.size > 0) return;
    followed.delete(entry);
    entry.release();
    // A server that has gone needs no word, and one that does not care is no reason to fail.
    entry.upstream.request({ method: 'resources/unsubscribe', params: { uri: entry.uri } }).catch(() => undefined);
  }

  return {
    async follow(caller, upstream, uri, tell) {
      const known = () => [...followed].find((entry) => entry.upstream === upstream && entry.uri === uri);
      const early = known();
      if (early) {
        early.callers.add(caller);
        return;
      }
      await tell();
      const entry = known() ?? { upstream, uri, callers: new Set<string>(), release: upstream.hold() };
      followed.add(entry);
      entry.callers.add(caller);
    },
    unfollow(caller, uri) {
      for (const entry of followed) if (entry.uri === uri) drop(entry, caller);
    },
    left(caller) {
      for (const entry of followed) drop(entry, caller);
    },
  };
}
