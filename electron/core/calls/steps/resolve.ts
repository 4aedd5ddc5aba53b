/** Finds the tool. Discovers a server on its first use, and asks the user for missing secrets. */
import { fail } from '../../../../shared/failure.ts';
import type { Scopes } from '../../policy/scope.ts';
import type { PromptOptions } from '../../secrets/prompt-missing-secrets.ts';
import type { Servers } from '../../servers/servers.ts';
import { onlyForApps } from '../../tools/apps.ts';
import type { Catalog } from '../../tools/catalog/catalog.ts';
import type { KnownTools } from '../../tools/known-tools.ts';
import type { RegisteredTool, ToolCall } from '../../types.ts';

export interface ResolveOptions {
  scopes: Scopes;
  servers: Pick<Servers, 'config' | 'isPaused' | 'promptMissingSecrets' | 'refresh'>;
  catalog: Pick<Catalog, 'isDiscovered'>;
  knownTools: Pick<KnownTools, 'find' | 'tagged' | 'rulesFor'>;
}

/** Fails with SERVER_NOT_FOUND, TOOL_NOT_FOUND, SERVER_DISABLED or the failure of the server's start. */
export function createResolve({ scopes, servers, catalog, knownTools }: ResolveOptions) {
  return (call: ToolCall): RegisteredTool | Promise<RegisteredTool> => {
    const { client, server, tool, signal, isTask, mayBeApp } = call;
    scopes.requireServer(client.scope, server);
    const prompt: PromptOptions = { from: { client: client.name, tool }, signal, isTask };
    const { enabled } = servers.config(server);
    if (catalog.isDiscovered(server)) return find();
    // A server that was disabled before its first discovery has no known tools.
    if (!enabled) throw fail('SERVER_DISABLED', `The server "${server}" is disabled.`, { server, tool });
    return discover().then(find);

    async function discover(): Promise<void> {
      await servers.promptMissingSecrets(server, prompt);
      await servers.refresh(server);
    }

    function find(): RegisteredTool | Promise<RegisteredTool> {
      scopes.requireTool(client.scope, server, tool, () => knownTools.tagged(server, tool));
      const found = knownTools.find(server, tool);
      if (found.metadata.app === 'only' && !mayBeApp && !client.isUser) throw onlyForApps(server, tool);
      const mayRun = enabled && found.enabled && !found.held && !servers.isPaused;
      const asking = mayRun ? servers.promptMissingSecrets(server, prompt) : undefined;
      const { scope } = client;
      const asked = scope.client === undefined ? found : askingAs(found, knownTools.rulesFor(scope.client));
      return asking ? asking.then(() => asked) : asked;
    }
  };
}

/** The tool with what the rules for the client say about approvals. They never lift an approval that another rule requires. */
function askingAs(tool: RegisteredTool, rules: ReturnType<KnownTools['rulesFor']>): RegisteredTool {
  const { server, name, annotations, category } = tool;
  const confirm = rules?.confirm({ server, name, safety: annotations.safetyLevel, category });
  const applies = confirm === 'always' || (confirm === 'never' && tool.confirm === 'auto');
  return applies ? { ...tool, confirm } : tool;
}
