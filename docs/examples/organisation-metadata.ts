/**
 * Tells for every tool which team answers for it and which cost centre pays: in the window, and in `metadata` for other
 * plug-ins. A tool that no word fits belongs to nobody, which is worth knowing too.
 *
 *     plugins: [{ path: './organisation-metadata.ts', options: { teams: { deploy: 'operations' } } }]
 */
import { definePlugin, type Tool } from 'gatehouse/plugin';

interface Options {
  /** A word of a tool's or server's name → the team. The first word that fits counts. */
  teams?: Record<string, string>;
  /** Team → cost centre. */
  costCentres?: Record<string, string>;
}

const usualTeams = { git: 'platform', deploy: 'operations', query: 'data' };

export default function organisationMetadata({ teams = usualTeams, costCentres = {} }: Options) {
  const words = Object.entries(teams).map(([word, team]) => ({ word: word.toLowerCase(), team }));

  function teamOf({ server, name }: Tool): string {
    const text = `${server} ${name}`.toLowerCase();
    return words.find(({ word }) => text.includes(word))?.team ?? 'unassigned';
  }

  return definePlugin({
    name: 'organisation-metadata',
    version: '1.0.0',
    transformTool(tool) {
      const team = teamOf(tool);
      return { ...tool, metadata: { ...tool.metadata, team, costCentre: costCentres[team] ?? 'none' } };
    },
  });
}
