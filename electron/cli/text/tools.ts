/** Text output of `toolkeep search`, `tools` and `inspect`. */
import { describeFit } from '../../../shared/client-fit.ts';
import { heldBecause } from '../../../shared/held-reason.ts';
import type { RuleView } from '../../../shared/model/rule.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ClientFit, SearchHit, ToolSummary, ToolView } from '../../../shared/model/tool.ts';
import { indent, type Style, safe, safeLines } from '../terminal.ts';
import { ruleLine } from './config.ts';
import { type Example, type Parameter, valueText } from './parameters.ts';
import { callsText } from './servers.ts';

export function hitsText(query: string, hits: SearchHit[], style: Style): string {
  const blocks = hits.map(({ server, tool, relevance, summary, tags }, index) => {
    const percent = style.dim(`(${Math.round(relevance * 100)}% match)`);
    const lines = [`${index + 1}. ${style.bold(safe(`${server}:${tool}`))} ${percent}`];
    if (summary) lines.push(`   ${safe(summary)}`);
    if (tags.length > 0) lines.push(`   Tags: ${safe(tags.join(', '))}`);
    return lines.join('\n');
  });
  return [`Search results for "${safe(query)}" (${hits.length} found):`, ...blocks].join('\n\n');
}

/** Whether agents can run the tool as far as the user decides about it and its server. */
export const isRunnable = ({ enabled, held }: { enabled: boolean; held?: unknown }, server?: ServerView): boolean =>
  enabled && !held && server?.status !== 'disabled';

/** Lists the tools in `shown`, and counts `tools`, which are all of the server's tools. */
export function toolsText(
  server: string,
  { tools, shown }: { tools: ToolSummary[]; shown: ToolSummary[] },
  show: { tags: boolean },
  style: Style,
): string {
  const held = tools.filter((tool) => tool.enabled && tool.held).length;
  const enabled = tools.filter((tool) => tool.enabled).length - held;
  const blocks = shown.map((tool) => listedText(tool, tool.name, show.tags, style));
  const title = `Tools from ${safe(server)} (${enabled} enabled, ${tools.length - enabled - held} disabled${held > 0 ? `, ${held} held` : ''})`;
  return blocks.length === 0 ? title : [`${title}:`, ...blocks].join('\n\n');
}

/** The first line about a disabled server. */
export const disabledServer = (server: string) =>
  `The server ${safe(server)} is disabled, so agents cannot run its tools.`;

/** Tools of some servers, or of all, as `server:tool`. */
export function allToolsText(tools: ToolSummary[], servers: string[], show: { tags: boolean }, style: Style): string {
  const of = servers.length > 0 ? safe(servers.join(', ')) : 'all servers';
  const blocks = tools.map((tool) => listedText(tool, `${tool.server}:${tool.name}`, show.tags, style));
  return [`Tools of ${of} (${tools.length})${blocks.length > 0 ? ':' : ''}`, ...blocks].join('\n\n');
}

function listedText(tool: ToolSummary, name: string, withTags: boolean, style: Style): string {
  const mark = isRunnable(tool) ? style.good('✓') : style.bad('✗');
  const state = tool.enabled ? '' : ' (disabled)';
  const held = tool.held ? style.warn(' (held; review it in the window)') : '';
  const lines = [`${mark} ${style.bold(safe(name))}${state}${held}`];
  if (tool.summary) lines.push(`  ${safe(tool.summary)}`);
  if (withTags && tool.tags.length > 0) lines.push(`  Tags: ${safe(tool.tags.join(', '))}`);
  if (tool.calls) lines.push(`  ${callsText(tool.calls)}`);
  return lines.join('\n');
}

interface ToolFacts {
  parameters: Parameter[];
  clients: ClientFit[];
  examples: Example[];
  rules: RuleView[];
  view?: ServerView | undefined;
}

export function toolText(
  tool: ToolView,
  { parameters, clients, examples, rules, view }: ToolFacts,
  style: Style,
): string {
  const blocks = [`Tool: ${style.bold(safe(`${tool.server}:${tool.name}`))}`];
  if (view?.status === 'disabled') blocks.push(style.warn(disabledServer(tool.server)));
  if (!tool.enabled) blocks.push(style.warn(`Disabled: agents cannot see or run it.${disabledBecause(tool, rules)}`));
  if (tool.held) {
    const { updated, changes: lines } = tool.held;
    const changes = indent([...(updated ? [updated] : []), ...lines].map(safe).join('\n'), 2);
    blocks.push(style.warn(`Held: ${heldBecause[tool.held.reason]}. Review it in the window.\n${changes}`));
  }
  blocks.push(`Description:\n${indent(safeLines(tool.description.trim(), 0) || 'None', 2)}`);
  blocks.push(['Parameters:', parameters.map(parameterText).join('\n\n') || '  None'].join('\n'));
  if (tool.tags.length > 0) blocks.push(`Tags: ${safe(tool.tags.join(', '))}`);
  const versions = [tool.version, tool.serverVersion && `server ${tool.serverVersion}`].filter(Boolean);
  if (versions.length > 0) blocks.push(`Version: ${safe(versions.join(', '))}`);
  if (tool.asks !== 'none') {
    const why = tool.annotations.reasons.length > 0 ? `: ${safe(tool.annotations.reasons.join('; '))}` : '.';
    blocks.push(style.warn(`Requires approval${tool.asks === 'once' ? ' once for each client' : ''}${why}`));
  }
  if (tool.findings.length > 0) blocks.push(style.warn(`Warnings:\n${indent(tool.findings.map(safe).join('\n'), 2)}`));
  if (clients.length > 0) blocks.push(clientsText(clients, style));
  if (examples.length > 0) blocks.push(['Examples:', examples.map(exampleText).join('\n\n')].join('\n'));
  return blocks.join('\n\n');
}

/** The override or rule that disables the tool. */
function disabledBecause({ enabledBy, decidedBy = 0 }: ToolView, rules: RuleView[]): string {
  const rule = rules[decidedBy];
  if (enabledBy === 'override') return ' You disabled it.';
  if (!rule) return '';
  const decides =
    enabledBy === 'rule' ? 'This rule disables it' : 'No rule enables it, and this rule makes an allow-list';
  return ` ${decides}:\n${ruleLine(rule, decidedBy)}`;
}

function clientsText(clients: ClientFit[], style: Style): string {
  const { summary, limited } = describeFit(clients);
  const lines = limited.map(({ client, verdict, notes }) =>
    [`${style.warn(safe(client))}, ${verdict}:`, ...notes.map((note) => indent(safe(note), 2))].join('\n'),
  );
  return ['Clients:', indent([summary, ...lines].join('\n'), 2)].join('\n');
}

function parameterText({ name, type, required, description }: Parameter): string {
  const head = `  ${safe(name)} (${safe(type)}, ${required ? 'required' : 'optional'})`;
  return description ? `${head}\n${indent(safeLines(description, 0), 4)}` : head;
}

function exampleText({ description, parameters }: Example): string {
  const lines = Object.entries(parameters).map(([name, value]) => `    ${safe(name)}: ${safe(valueText(value))}`);
  return [`  ${safe(description)}:`, ...(lines.length > 0 ? lines : ['    (no arguments)'])].join('\n');
}
