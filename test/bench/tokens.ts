/** The tokens (o200k) of the meta-tools: their definitions, and their responses for the real catalog. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describeTools } from '../../electron/core/gateway/meta-tools/describe.ts';
import { describeTool } from '../../electron/core/gateway/meta-tools/details.ts';
import { metaTools } from '../../electron/core/gateway/meta-tools/meta-tools.ts';
import { packHits } from '../../electron/core/gateway/meta-tools/search-results.ts';
import { estimateTokens } from '../../electron/core/history/estimate-tokens.ts';
import { createSearch } from '../../electron/core/search/search.ts';
import type { SearchDoc } from '../../electron/core/search/search-doc.ts';
import type { JsonSchema, ToolView } from '../../shared/model/tool.ts';
import { commands } from '../fixtures/commands.ts';
import { realServers } from '../fixtures/labeled-tools.ts';
import { toolView } from '../fixtures/single-server-services.ts';
import { initialize, spawnPeer } from '../integration/gateway/raw-peer.ts';
import type { Part, Row } from './report.ts';
import { dataSetsOrNote, encoderOrNote, sample } from './search-data.ts';

export const part: Part = {
  about: 'tokens of the five definitions and of each response',
  async run(report) {
    const names = Array.from(
      { length: 30 },
      (_, at) => `${['github', 'filesystem', 'postgres', 'slack', 'notion'][at % 5]}-${at}`,
    );
    report.table('The five definitions', [
      ...[0, 3, 30].map((count) => ({
        servers: count,
        tokens: tokens(JSON.stringify(metaTools(names.slice(0, count), { readTool: false, batch: false }))),
        goal: '< 600',
      })),
    ]);
    const set = dataSetsOrNote(report).find(({ name }) => name === 'livemcp');
    const rows: Row[] = [];
    if (set) {
      const views = new Map(set.docs.map((doc) => [doc.key, viewOf(doc)]));
      const index = createSearch({ encoder: await encoderOrNote(report) });
      index.put(set.docs);
      index.indexVectors();
      const answers = set.queries.map(({ query }) => {
        const hits = index.search(query, { limit: 30 }).map(({ key, relevance }) => {
          const { server, name, description, inputSchema } = views.get(key) as ToolView;
          return { server, tool: name, summary: description, relevance, tags: [], inputSchema };
        });
        return packHits(hits);
      });
      rows.push(spread('search_tools, livemcp', answers, '< 200'));
      const named = set.queries.filter(({ groups }, at) =>
        groups.every((group) => group.some((key) => answers[at]?.includes(nameOf(views.get(key) as ToolView)))),
      );
      report.note(`${named.length} of ${set.queries.length} responses of search_tools name the right tool.`);
      rows.push(
        spread(
          'get_tool_details, livemcp',
          [...views.values()].map((tool) => describeTool(tool)),
          '~ 100, < 200',
        ),
      );
      const texts = sample([...views.values()], 200).map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      );
      const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const counted = texts.reduce((sum, text) => sum + tokens(text), 0);
      report.note(
        `In this run, the estimate of \`toolkeep stats\` is ${(estimated / counted).toFixed(2)} times the real count.`,
      );
    }
    const real = realServers().map(({ server, definition }) => toolView(server, definition as never));
    rows.push(
      spread(
        'get_tool_details, 50 real servers',
        real.map((tool) => describeTool(tool)),
        '~ 100, < 200',
      ),
    );
    rows.push(
      spread(
        '  with full: true',
        real.map((tool) => describeTool(tool, true)),
        undefined,
      ),
    );
    for (const [name, command] of Object.entries({
      everything: commands.everything(),
      filesystem: commands.filesystem('/tmp'),
      memory: commands.memory(),
    })) {
      const peer = spawnPeer(command);
      await initialize(peer);
      const { result } = await peer.request('tools/list');
      peer.close();
      const listed = (result?.tools ?? []) as Parameters<typeof toolView>[1][];
      const tools = listed.map((tool) => toolView(name, tool));
      rows.push(
        spread(
          `get_tool_details, ${name}`,
          tools.map((tool) => describeTool(tool)),
          '~ 100, < 200',
        ),
      );
      rows.push(spread(`list_tools, ${name}`, [describeTools(tools, false)], undefined));
      rows.push(spread('  its tools/list itself', [JSON.stringify(result?.tools)], undefined));
    }
    report.table('Tokens per response', rows);
  },
};

function viewOf(doc: SearchDoc): ToolView {
  const properties = Object.fromEntries(
    doc.parameters.map(({ name, description }) => [name, { type: 'string', description }]),
  );
  const inputSchema: JsonSchema = { type: 'object', properties };
  return {
    ...toolView(doc.server, { name: doc.name, description: doc.description, inputSchema }),
    key: `${doc.server}::${doc.name}`,
  };
}

function nameOf({ server, name }: ToolView): string {
  return `${server}/${name}`;
}

function spread(answer: string, texts: string[], goal: string | undefined): Row {
  const counts = texts.map(tokens).sort((a, b) => a - b);
  const at = (share: number) => counts[Math.min(counts.length - 1, Math.floor(counts.length * share))] as number;
  return { answer, answers: counts.length, median: at(0.5), p95: at(0.95), goal };
}

function tokens(text: string): number {
  return encode(text).length;
}
