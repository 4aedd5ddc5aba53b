/** `autoUpdater`: Squirrel.Mac, which fetches an offered update when the test calls `fetch`. */
import { EventEmitter } from 'node:events';
import type { FeedURLOptions } from 'electron';
import { app } from './app.ts';
import { platform } from './platform.ts';
import { strict } from './strict.ts';

class StandInAutoUpdater extends EventEmitter {
  feed: FeedURLOptions | undefined;
  isOffered = false;
  isFetched = false;

  setFeedURL(feed: FeedURLOptions) {
    this.feed = feed;
  }

  checkForUpdates() {
    if (platform !== 'darwin') throw new Error('Only on macOS does electron-updater use Squirrel');
    this.isOffered = true;
  }

  /** Reads the offer from electron-updater's server, then the file that it names. */
  async fetch() {
    const { url = '', headers } = this.feed ?? {};
    const offer = (await (await fetch(url, { headers })).json()) as { url: string };
    await (await fetch(offer.url, { headers })).arrayBuffer();
    this.isFetched = true;
    this.emit('update-downloaded');
  }

  quitAndInstall() {
    if (!this.isFetched) throw new Error("No update available, can't quit and install");
    // A message to the test, because the app ends afterwards.
    process.send?.({ installed: true });
    app.quit();
  }
}

export const squirrel = new StandInAutoUpdater();
export const autoUpdater = strict('autoUpdater', squirrel);
