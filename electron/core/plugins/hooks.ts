/** Runs the discovery hooks of plug-ins. Each hook has a timeout; a failing hook is reported and skipped. */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { withDeadline } from '../async/deadline.ts';
import type { DiscoveryPlugin, HookContext } from './plugin-api.ts';
import { fromPluginTool, toPluginTool } from './plugin-tool.ts';

const hookTimeoutMs = 5_000;

/** Calls one hook. If it fails, adds a warning that names the plug-in and returns false. */
export async function runHook(
  plugin: DiscoveryPlugin,
  hook: string,
  server: string,
  signal: AbortSignal,
  warnings: string[],
  call: (context: HookContext) => void | Promise<void>,
): Promise<boolean> {
  const timeoutMs = plugin.timeoutMs ?? hookTimeoutMs;
  const tooLate = () => fail('PLUGIN_FAILED', `${hook} took longer than ${timeoutMs} ms`);
  try {
    await withDeadline(timeoutMs, signal, tooLate, (inner) => call({ server, signal: inner }));
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    warnings.push(`PLUGIN_FAILED: ${hook} of plug-in "${plugin.name}" was skipped: ${toFailure(error).message}`);
    return false;
  }
}

export async function beforeDiscovery(
  plugins: DiscoveryPlugin[],
  server: string,
  signal: AbortSignal,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const plugin of plugins) {
    if (!plugin.beforeDiscovery) continue;
    // The connection of a running server stays unchanged.
    await runHook(plugin, 'beforeDiscovery', server, signal, warnings, async (context) => {
      await plugin.beforeDiscovery?.(server, context);
    });
  }
  return warnings;
}

export async function afterDiscovery(
  plugins: DiscoveryPlugin[],
  server: string,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const plugin of plugins) {
    if (!plugin.afterDiscovery) continue;
    await runHook(plugin, 'afterDiscovery', server, signal, warnings, (context) =>
      plugin.afterDiscovery?.(server, tools.map(toPluginTool), context),
    );
  }
  return warnings;
}

/** Applies each plug-in's `transformTool` to every tool, in order. A hook that returns null removes the tool. */
export async function transformTools(
  plugins: DiscoveryPlugin[],
  server: string,
  tools: Tool[],
  signal: AbortSignal,
): Promise<{ tools: Tool[]; warnings: string[] }> {
  const warnings: string[] = [];
  let current = tools;
  for (const plugin of plugins)
    if (plugin.transformTool) current = await transformWith(plugin, server, current, signal, warnings);
  return { tools: current, warnings };
}

async function transformWith(
  plugin: DiscoveryPlugin,
  server: string,
  tools: Tool[],
  signal: AbortSignal,
  warnings: string[],
): Promise<Tool[]> {
  const verdicts = new Map<Tool, Tool | null>();
  const failures: string[] = [];
  const inTime = await runHook(plugin, 'transformTool', server, signal, warnings, async (context) => {
    for (const tool of tools) {
      if (context.signal.aborted) return;
      try {
        // Pass a copy, because a plug-in may change the tool in place and then fail.
        const given = plugin.transformTool?.(toPluginTool(tool), context);
        const result = given instanceof Promise ? await given : given;
        if (context.signal.aborted) return;
        verdicts.set(tool, result === null ? null : accepted(tool, result));
      } catch (error) {
        failures.push(`"${tool.name}": ${toFailure(error).message}`);
        // The plug-in uses something that does not exist, so we cannot know what it meant to restrict.
        if (error instanceof ReferenceError || error instanceof TypeError) verdicts.set(tool, null);
      }
    }
  });
  const reject = plugin.onFailure === 'reject';
  if (failures.length > 0) {
    const rejected = tools.filter((tool) => verdicts.get(tool) === null).length;
    const result = reject ? 'are hidden' : rejected > 0 ? 'are hidden if it used something undefined' : 'are unchanged';
    warnings.push(
      `PLUGIN_FAILED: plug-in "${plugin.name}" failed on ${failures.length} of ${tools.length} tools, which ${result}; first failure: ${failures[0]}`,
    );
  }
  if (!inTime && reject) warnings.push(`Tools that plug-in "${plugin.name}" did not process were left out.`);
  const kept: Tool[] = [];
  for (const tool of tools) {
    const verdict = verdicts.get(tool);
    if (verdict) kept.push(verdict);
    else if (verdict === undefined && !reject) kept.push(tool);
  }
  return kept;
}

/** Returns the transformed tool with its original identity, because routing and trust depend on it. */
function accepted(tool: Tool, result: unknown): Tool {
  if (typeof result !== 'object' || result === null) throw new Error(`transformTool returned ${String(result)}`);
  const { key, server, name, shownName, fingerprint } = tool;
  const changed = result as Tool;
  if (typeof changed.definition?.inputSchema !== 'object') throw new Error('transformTool returned no definition');
  if (typeof changed.metadata !== 'object' || changed.metadata === null)
    throw new Error('transformTool returned no metadata');
  // Keep plain data only: the catalog is stored as JSON and must not change when it is read back.
  const plain = fromPluginTool(JSON.parse(JSON.stringify(changed)), tool);
  return { ...plain, key, server, name, shownName, fingerprint, findings: tool.findings };
}
