/** Finds the tool. Discovers a server on its first use, and asks the user for missing secrets. */
import { fail } from '../../../../shared/failure.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { ScopedTool, Scopes } from '../../policy/scope.ts';
import type { PromptOptions } from '../../secrets/prompt-missing-secrets.ts';
import { onlyForApps } from '../../tools/apps.ts';
import type { RegisteredTool } from '../../types.ts';
import type { Step } from '../step.ts';

export interface ResolveOptions {
  scopes: Scopes;
  isPaused(): boolean;
  /** Throws SERVER_NOT_FOUND with similar names. */
  serverConfig(server: string): ServerConfig;
  /** True once the server's tools are known. */
  isDiscovered(server: string): boolean;
  discover(server: string): Promise<void>;
  /** Throws TOOL_NOT_FOUND with similar names. */
  findTool(server: string, tool: string): RegisteredTool;
  /** Undefined if the server has no such tool. */
  scopedTool(server: string, tool: string): ScopedTool | undefined;
  /**
   * Asks the user for the secrets that the server needs. Rejects with APPROVAL_PENDING if that takes longer than the client
   * waits.
   */
  promptMissingSecrets(server: string, options: PromptOptions): Promise<void>;
}

export function createResolve(options: ResolveOptions): Step {
  return async (call, next) => {
    const { client, server, tool, signal, isTask } = call;
    options.scopes.requireServer(client.scope, server);
    const prompt: PromptOptions = { from: { client: client.name, tool }, signal, isTask };
    const { enabled } = options.serverConfig(server);
    // A server that was disabled before its first discovery has no known tools.
    if (!enabled && !options.isDiscovered(server))
      throw fail('SERVER_DISABLED', `The server "${server}" is disabled.`, { server, tool });
    if (enabled && !options.isDiscovered(server)) {
      await options.promptMissingSecrets(server, prompt);
      await options.discover(server);
    }
    options.scopes.requireTool(client.scope, server, tool, () => options.scopedTool(server, tool));
    call.found = options.findTool(server, tool);
    if (call.found.metadata.app === 'only' && !call.mayBeApp && !client.isUser) throw onlyForApps(server, tool);
    const mayRun = enabled && call.found.enabled && !call.found.held && !options.isPaused();
    if (mayRun) await options.promptMissingSecrets(server, prompt);
    // The server's start does not count toward the call's duration.
    call.startedAt = Date.now();
    return next();
  };
}
