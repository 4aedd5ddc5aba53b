/** Ends the apps that a test starts, and everything else that must end after each test. */
import { afterEach } from 'vitest';
import { type App, type AppOptions, startApp } from './driver.ts';

export interface TestApps {
  /** Functions to call after each test, in reverse order. */
  closers: (() => unknown)[];
  start(options?: AppOptions): Promise<App>;
}

/** Call it at the top of a file or in a `describe`. */
export function testApps(): TestApps {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    closers,
    async start(options = {}) {
      const app = await startApp(options);
      closers.push(app.dispose);
      return app;
    },
  };
}
