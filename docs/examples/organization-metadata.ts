/**
 * Adds the owning team and its cost center to every tool. The window shows both, and other plug-ins find them in `metadata`. A
 * tool that matches no word gets the team `unassigned`.
 *
 *     plugins: [{ path: './organization-metadata.ts', options: { teams: { deploy: 'operations' } } }]
 */
import { definePlugin, type Tool } from 'toolkeep/plugin';

interface Options {
  /** A word in the name of a tool or server → the team. The first match decides. */
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
