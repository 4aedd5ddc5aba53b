/**
 * Adds to every tool the team that owns it and the cost center that pays for it. The window shows both, and other plug-ins find
 * them in `metadata`. A tool that matches no word gets the team `unassigned`.
 *
 *     plugins: [{ path: './organization-metadata.ts', options: { teams: { deploy: 'operations' } } }]
 */
import { definePlugin, type Tool } from 'gatehouse/plugin';

interface Options {
  /** A word of a tool's or server's name → the team. The first match counts. */
  teams?: Record<string, string>;
  /** Team → cost center. */
  costCenters?: Record<string, string>;
}

const usualTeams = { git: 'platform', deploy: 'operations', query: 'data' };

export default function organizationMetadata({ teams = usualTeams, costCenters = {} }: Options) {
  const words = Object.entries(teams).map(([word, team]) => ({ word: word.toLowerCase(), team }));

  function teamOf({ server, name }: Tool): string {
    const text = `${server} ${name}`.toLowerCase();
    return words.find(({ word }) => text.includes(word))?.team ?? 'unassigned';
  }

  return definePlugin({
    name: 'organization-metadata',
    version: '1.0.0',
    transformTool(tool) {
      const team = teamOf(tool);
      return { ...tool, metadata: { ...tool.metadata, team, costCenter: costCenters[team] ?? 'none' } };
    },
  });
}
