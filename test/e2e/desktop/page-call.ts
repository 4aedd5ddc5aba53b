/** Calls a command of Core from inside a page of the app, over the page's Wire. */
import type { Page } from 'playwright-core';

/** Resolves with the reply. Afterwards, the window receives no frames. */
export const call = (page: Page, name: string, input?: unknown) =>
  page.evaluate(
    ([command, given]) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const id = 900_000 + Math.floor(Math.random() * 90_000);
        const { toolkeep } = globalThis as never as {
          toolkeep: { send(frame: string): void; onFrame(l: (frame: string) => void): void };
        };
        toolkeep.onFrame((text) => {
          const frame = JSON.parse(text);
          if (frame.id === id) resolve(frame);
        });
        toolkeep.send(JSON.stringify({ kind: 'call', id, name: command, input: given }));
      }),
    [name, input] as const,
  );
