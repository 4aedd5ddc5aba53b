/** MCP Apps: tools with a UI, which a client shows from a `ui://` resource. */
import { isObject } from '../../../shared/is-object.ts';
import type { Tool, ToolDefinition } from '../../../shared/model/tool.ts';
import { skillsExtension } from './skills.ts';

export const uiExtension = 'io.modelcontextprotocol/ui';
/** Toolkeep declares these to servers, because some list UI tools and skills only for clients with the extension. */
export const declaredExtensions = {
  [uiExtension]: { mimeTypes: ['text/html;profile=mcp-app'] },
  [skillsExtension]: {},
};

/** `shown`: the model calls the tool, and its app appears. `only`: only the app itself calls it. */
export type AppUse = 'shown' | 'only';

export const addressPrefix = 'ui://';

/** Older keys for the address of an app, besides `ui.resourceUri`. */
export const addressKeys = ['ui/resourceUri', 'openai/outputTemplate'];

/** All app addresses in the metadata of a tool or a result. */
export function addressesIn(meta: Record<string, unknown>): string[] {
  const found = [...addressKeys.map((key) => meta[key]), isObject(meta.ui) ? meta.ui.resourceUri : undefined];
  return found.filter((uri) => typeof uri === 'string');
}

/** How a tool uses an app; undefined for a tool without one. */
export function appUse({ _meta: meta }: ToolDefinition): AppUse | undefined {
  if (!isObject(meta)) return undefined;
  const ui = isObject(meta.ui) ? meta.ui : {};
  if (Array.isArray(ui.visibility) && !ui.visibility.includes('model')) return 'only';
  return isObject(meta.ui) || addressKeys.some((key) => typeof meta[key] === 'string') ? 'shown' : undefined;
}

/** Like `appUse`, but uses the result that discovery stored, so that no definition is parsed. */
export const appUseOf = ({ metadata }: Pick<Tool, 'metadata'>) => metadata.app as AppUse | undefined;

/** Whether an app of the tool's server may call it. A tool that says nothing about it is for models and apps. */
export function isForApps({ _meta: meta }: ToolDefinition): boolean {
  const ui = isObject(meta) && isObject(meta.ui) ? meta.ui : {};
  return !Array.isArray(ui.visibility) || ui.visibility.includes('app');
}

/** Whether a client with these capabilities shows apps. */
export function showsApps({ extensions }: Record<string, unknown>): boolean {
  return isObject(extensions) && uiExtension in extensions;
}
