/** What the gateway shows to clients: the tools, prompts and resources of all servers under one roof (rows B12, D4, D5). */
import type { Tool } from '../../shared/model.ts';
import { type Parts, serverView } from './commands/commands.ts';
import type { ClientSession, GatewayBackend, ShownTool } from './gateway/gateway.ts';
import { createPassthrough } from './passthrough/passthrough.ts';
import type { Signals } from './signals.ts';

/** `connected` is called with each client that arrives and returns what to do when it leaves. */
export function createBackend(
  parts: Parts,
  { onChange, onResourceUpdated }: Pick<Signals, 'onChange' | 'onResourceUpdated'>,
  connected: (session: ClientSession) => () => void,
): GatewayBackend {
  const { servers, toolbox, catalog, executor } = parts;
  return {
    ...createPassthrough(parts),
    servers: () => servers.configs().map((config) => serverView(config, parts)),
    tools(server) {
      servers.config(server);
      return toolbox.ofServer(server);
    },
    tool(server, tool) {
      servers.config(server);
      return toolbox.find(server, tool);
    },
    enabledTools: () =>
      toolbox.usable().flatMap(({ server, name, tags }) => {
        const tool = catalog.tool(server, name);
        return tool ? [shownTool(tool, tags)] : [];
      }),
    byShownName(name) {
      const tool = catalog.byShownName(name);
      return tool && { server: tool.server, tool: tool.name };
    },
    search: (query, options) => {
      if (options.server) servers.config(options.server);
      return toolbox.search(query, options);
    },
    execute: ({ session, ...call }) => executor.execute({ ...call, caller: session }),
    connected,
    onChange,
    onResourceUpdated,
    instructions: () =>
      'Gatehouse stands in front of all MCP servers of this person. Look for a tool with search_tools, read its parameters with get_tool_details, run it with execute_tool.',
  };
}

const shownTool = (tool: Tool, tags: string[]): ShownTool => ({
  name: tool.shownName,
  server: tool.server,
  tool: tool.name,
  tags,
  definition: tool.definition,
});
