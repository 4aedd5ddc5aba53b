/** Measures how well safety levels agree with labels, and how often Toolkeep asks the user. */
import { findPoison } from '../../electron/core/tools/assessment/poisoning.ts';
import { countQuestions } from '../fixtures/destination-traces.ts';
import {
  countLevels,
  figuresOf,
  type LabeledTool,
  laterServers,
  madeUpTools,
  realServers,
} from '../fixtures/labeled-tools.ts';
import { countReadingQuestions, timesOfChecks } from '../fixtures/reading-trace.ts';
import { percentiles } from './figures.ts';
import type { Part, Row } from './report.ts';

const percent = (share: number) => (Number.isFinite(share) ? `${(share * 100).toFixed(1)}%` : '–');

function row(name: string, tools: LabeledTool[]): Row {
  const { askAsks, askDangerous, readAsks, precision } = figuresOf(countLevels(tools));
  return {
    tools: name,
    count: tools.length,
    '"ask" that ask': percent(askAsks),
    '"ask" dangerous': percent(askDangerous),
    '"read" that ask': percent(readAsks),
    'dangerous labeled "ask"': percent(precision),
  };
}

/** Splits the servers into five parts of similar size, each of which is measured separately. */
function folds(tools: LabeledTool[]): LabeledTool[][] {
  const parts: LabeledTool[][] = [[], [], [], [], []];
  const servers = [...Map.groupBy(tools, ({ server }) => server).values()].sort((a, b) => b.length - a.length);
  for (const server of servers) {
    parts.sort((a, b) => a.length - b.length);
    parts[0]?.push(...server);
  }
  return parts;
}

export const part: Part = {
  about:
    'safety levels compared with labels, for tools of real servers and invented tools; poisoning findings on honest servers',
  async run(report) {
    const real = realServers();
    report.table('Real servers, goals 98% / 90% / 5% / 85%', [
      row('all', real),
      row(
        'without the server with command routers',
        real.filter(({ server }) => server !== 'Azure MCP Server'),
      ),
      ...folds(real).map((tools, index) => row(`fold ${index + 1} of 5, by server`, tools)),
    ]);
    const servers = [...Map.groupBy(real, ({ server }) => server)];
    report.table(
      'Each real server',
      servers.map(([name, tools]) => row(name, tools)),
    );
    report.table(
      'Later servers, by batch, after their errors were analyzed',
      [...Map.groupBy(laterServers(), ({ batch }) => batch)].map(([batch, tools]) => row(`batch ${batch}`, tools)),
    );
    const made = madeUpTools();
    report.table('Invented tools', [
      row(
        'tuning half',
        made.filter(({ half }) => half === 'tuning'),
      ),
      row(
        'held-out half',
        made.filter(({ half }) => half === 'held-out'),
      ),
    ]);
    const { acts, asked, lateActs, lateAsked, attacks, caught } = countQuestions();
    report.table('Known destinations, goals at most 30% / at most 36% / at least 96%', [
      {
        'acts of tasks that ask': `${asked} of ${acts} (${percent(asked / acts)})`,
        'cold start, last third': `${lateAsked} of ${lateActs} (${percent(lateAsked / lateActs)})`,
        'attacks that raise a question': `${caught} of ${attacks} (${percent(caught / attacks)})`,
      },
    ]);
    const reading = await countReadingQuestions();
    report.note(
      `Pages that a reading client opens: ${reading.pages}, of these ask: ${reading.asked.length} (at most 1%)`,
    );
    report.note(
      `Milliseconds for a new address after 4 MB of results, 95th percentile: ${percentiles(await timesOfChecks()).p95.toFixed(2)} (at most 0.5)`,
    );
    const findings = servers.flatMap(([, tools]) => {
      const own = new Set(tools.map(({ definition }) => definition.name));
      return tools.flatMap(({ definition }) =>
        findPoison({ ...definition, inputSchema: definition.inputSchema ?? {} }, { others: new Map(), own }),
      );
    });
    report.note(`Poisoning findings on the real servers: ${findings.length} (at most 3). ${findings.join('; ')}`);
  },
};
