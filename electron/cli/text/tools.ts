/** `gatehouse search`, `tools` and `inspect`: tools, for people. */
import { fitWords } from '../../../shared/client-fit.ts';
import { asksFirst, type ClientFit, type SearchHit, type ToolSummary, type ToolView } from '../../../shared/model.ts';
import { indent, type Style, safe } from '../terminal.ts';
import { type Example, type Parameter, valueText } from './parameters.ts';

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

/** `tools` holds the disabled ones as well; they are shown on request only. */
export function toolsText(
  server: string,
  tools: ToolSummary[],
  show: { all: boolean; tags: boolean },
  style: Style,
): string {
  const enabled = tools.filter((tool) => tool.enabled).length;
  const shown = show.all ? tools : tools.filter((tool) => tool.enabled);
  const blocks = shown.map((tool) => {
    const mark = tool.enabled ? style.good('✓') : style.bad('✗');
    const state = tool.enabled ? '' : ' (disabled)';
    const held = tool.held ? style.warn(' (changed, waits for your acceptance)') : '';
    const lines = [`${mark} ${style.bold(safe(tool.name))}${state}${held}`];
    if (tool.summary) lines.push(`  ${safe(tool.summary)}`);
    if (show.tags && tool.tags.length > 0) lines.push(`  Tags: ${safe(tool.tags.join(', '))}`);
    return lines.join('\n');
  });
  const title = `Tools from ${safe(server)} (${enabled} enabled, ${tools.length - enabled} disabled)`;
  return blocks.length === 0 ? title : [`${title}:`, ...blocks].join('\n\n');
}

export function toolText(
  tool: ToolView,
  { parameters, clients, examples }: { parameters: Parameter[]; clients: ClientFit[]; examples: Example[] },
  style: Style,
): string {
  const blocks = [`Tool: ${style.bold(safe(`${tool.server}:${tool.name}`))}`];
  if (!tool.enabled) blocks.push(style.warn('Disabled: no agent can see or run it.'));
  if (tool.held) {
    const { updated, changes: lines } = tool.held;
    const changes = indent(safe([...(updated ? [updated] : []), ...lines].join('\n')), 2);
    blocks.push(style.warn(`Held back: its definition changed and waits for your acceptance.\n${changes}`));
  }
  blocks.push(`Description:\n${indent(safe(tool.description.trim()) || 'None given', 2)}`);
  blocks.push(['Parameters:', parameters.map(parameterText).join('\n\n') || '  None'].join('\n'));
  if (tool.tags.length > 0) blocks.push(`Tags: ${safe(tool.tags.join(', '))}`);
  const versions = [tool.version, tool.serverVersion && `server ${tool.serverVersion}`].filter(Boolean);
  if (versions.length > 0) blocks.push(`Version: ${safe(versions.join(', '))}`);
  if (asksFirst(tool)) {
    const why = tool.annotations.reasons.length > 0 ? `: ${safe(tool.annotations.reasons.join('; '))}` : '.';
    blocks.push(style.warn(`Asks the person first${why}`));
  }
  if (tool.findings.length > 0) blocks.push(style.warn(`Suspicious:\n${indent(safe(tool.findings.join('\n')), 2)}`));
  if (clients.length > 0) blocks.push(clientsText(clients, style));
  if (examples.length > 0) blocks.push(['Examples:', examples.map(exampleText).join('\n\n')].join('\n'));
  return blocks.join('\n\n');
}

function clientsText(clients: ClientFit[], style: Style): string {
  const { summary, troubled } = fitWords(clients);
  const lines = troubled.map(({ client, verdict, notes }) =>
    [`${style.warn(safe(client))}, ${verdict}:`, ...notes.map((note) => indent(safe(note), 2))].join('\n'),
  );
  return ['Clients:', indent([summary, ...lines].join('\n'), 2)].join('\n');
}

function parameterText({ name, type, required, description }: Parameter): string {
  const head = `  ${safe(name)} (${safe(type)}, ${required ? 'required' : 'optional'})`;
  return description ? `${head}\n${indent(safe(description), 4)}` : head;
}

function exampleText({ description, parameters }: Example): string {
  const lines = Object.entries(parameters).map(([name, value]) => `    ${safe(name)}: ${safe(valueText(value))}`);
  return [`  ${safe(description)}:`, ...(lines.length > 0 ? lines : ['    (no arguments)'])].join('\n');
}
