/** Finds the tool. Discovers a server on its first use, and asks the user for missing secrets. */
import { fail } from '../../../../shared/failure.ts';
import type { Scopes } from '../../policy/scope.ts';
import type { PromptOptions } from '../../secrets/prompt-missing-secrets.ts';
import type { Servers } from '../../servers/servers.ts';
import { onlyForApps } from '../../tools/apps.ts';
import type { KnownTools } from '../../tools/known-tools.ts';
import type { RegisteredTool, ToolCall } from '../../types.ts';

export interface ResolveOptions {
  scopes: Scopes;
  isPaused(): boolean;
  servers: Pick<Servers, 'config' | 'isDiscovered' | 'refresh'>;
  knownTools: Pick<KnownTools, 'find' | 'tagged'>;
  /**
   * Asks the user for the secrets that the server needs. Rejects with APPROVAL_PENDING if that takes longer than the client
   * waits.
   */
  promptMissingSecrets(server: string, options: PromptOptions): Promise<void>;
}

/** Rejects with SERVER_NOT_FOUND, TOOL_NOT_FOUND, SERVER_DISABLED or the failure of the server's start. */
export function createResolve({ scopes, isPaused, servers, knownTools, promptMissingSecrets }: ResolveOptions) {
  return async ({ client, server, tool, signal, isTask, mayBeApp }: ToolCall): Promise<RegisteredTool> => {
    scopes.requireServer(client.scope, server);
    const prompt: PromptOptions = { from: { client: client.name, tool }, signal, isTask };
    const { enabled } = servers.config(server);
    // A server that was disabled before its first discovery has no known tools.
    if (!enabled && !servers.isDiscovered(server))
      throw fail('SERVER_DISABLED', `The server "${server}" is disabled.`, { server, tool });
    if (enabled && !servers.isDiscovered(server)) {
      await promptMissingSecrets(server, prompt);
      await servers.refresh(server);
    }
    scopes.requireTool(client.scope, server, tool, () => knownTools.tagged(server, tool));
    const found = knownTools.find(server, tool);
    if (found.metadata.app === 'only' && !mayBeApp && !client.isUser) throw onlyForApps(server, tool);
    const mayRun = enabled && found.enabled && !found.held && !isPaused();
    if (mayRun) await promptMissingSecrets(server, prompt);
    return found;
  };
}
