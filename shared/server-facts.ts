/** Facts about servers that the window, the terminal and agents state alike. */
import type { Failure } from './failure.ts';
import type { ReportedHost } from './model/sandbox.ts';
import type { ServerStatus, ServerView } from './model/server.ts';

/** An idle server starts on the next call, so it counts as connected. */
export function isConnected({ status }: { status: ServerStatus }): boolean {
  return status === 'ready' || status === 'idle';
}

/** Whether a confined server has secrets of its own. */
export const isPartlyConfined = ({ confinement }: Pick<ServerView, 'confinement'>): boolean =>
  (confinement?.held.length ?? 0) > 0;

/** Whether a confined server never reached a host that it asked for. */
export const wasOnlyRefused = ({ refused, reached }: ReportedHost): boolean => refused > 0 && reached === 0;

const pluginFailure = /^PLUGIN_FAILED: (.*plug-in "([^"]+)".*)$/s;

/** The failures of plug-ins among a server's warnings. They can be the reason that tools are missing. */
export function pluginFailures(warnings: readonly string[]): { plugin: string; text: string }[] {
  return warnings.flatMap((warning) => {
    const [, text, plugin] = pluginFailure.exec(warning) ?? [];
    return text && plugin ? { plugin, text } : [];
  });
}

/** Says so to agents, without the cause, which can contain names of tools that they may not read. */
export function hiddenByPlugins(server: string, warnings: readonly string[]): string | undefined {
  const names = [...new Set(pluginFailures(warnings).map(({ plugin }) => `"${plugin}"`))].join(', ');
  return names === ''
    ? undefined
    : `Plug-in ${names} failed on the tools of "${server}", so some may be hidden. Toolkeep shows the cause.`;
}

/** Why no tool can run now. */
export const standstill = {
  paused: 'Toolkeep is paused, so no tool runs until the user resumes it.',
  plugin:
    'A required plug-in cannot be used, so Toolkeep hides every tool. `toolkeep config validate` shows the cause to the user.',
} as const;

const namedFailures = 3;

/** Names the servers whose tools a search leaves out, with the codes of their failures. Undefined if there are none. */
export function notSearched(failed: readonly { id: string; failure?: Failure | undefined }[]): string | undefined {
  if (failed.length === 0) return undefined;
  const named = failed.slice(0, namedFailures).map(({ id, failure }) => (failure ? `${id} (${failure.code})` : id));
  const more = failed.length > namedFailures ? ` and ${failed.length - namedFailures} more` : '';
  return `Not searched, because they failed: ${named.join(', ')}${more}.`;
}
