/** A real Core behind the test's own HTTP server, for clients that know neither its token nor its modes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import type { TestHost } from '../../fixtures/host.ts';

/** Starts it and waits for its servers. Adds the token to requests without one and, if given, replaces the path with `path`. */
export async function coreOverHttp(host: TestHost, path?: string) {
  const core = await createCore(host);
  const { token } = await core.handlers['tokens.create']({ name: 'test' });
  const http = createServer((request, response) => {
    request.headers.authorization ??= `Bearer ${token}`;
    if (path) request.url = path;
    void core.gateway.handleHttp(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const statuses = async () => (await core.handlers['servers.list']()).map(({ status }) => status);
  await vi.waitFor(async () => expect(new Set(await statuses())).toEqual(new Set(['ready'])), { timeout: 20_000 });
  return {
    core,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.closeAllConnections();
      http.close();
      await core.close();
      host.dispose();
    },
  };
}
