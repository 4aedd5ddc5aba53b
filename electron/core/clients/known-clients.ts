/** All clients that Toolkeep knows. To add a client, add its definition in definitions/. */
import type { ClientDefinition, DefinitionInput, DefinitionInputs, InstallDefinition } from './client-definition.ts';
import { claudeClients } from './definitions/claude.ts';
import { editors } from './definitions/editors.ts';
import { plainEntry } from './definitions/entries.ts';
import { otherApps } from './definitions/other-apps.ts';
import { terminalAgents } from './definitions/terminal-agents.ts';
import { foldersOf } from './import/paths.ts';
import { section } from './import/readers.ts';

const inputs: DefinitionInputs = { ...claudeClients, ...editors, ...terminalAgents, ...otherApps };

/** All clients, in display order. */
export const knownClients: readonly ClientDefinition[] = Object.entries(inputs).map(([id, input]) =>
  withDefaults(id, input),
);

/** The client with this id or alias. */
export function findClient(name: string): ClientDefinition | undefined {
  const wanted = name.toLowerCase();
  return knownClients.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}

/**
 * Finds the definition of a connected client by the name in its `clientInfo`, otherwise by the entry through which it
 * connects. The name comes first because other clients may read that entry's file.
 */
export function definitionOf({ stated = '', via }: { stated?: string; via?: string }): ClientDefinition | undefined {
  const own = byInfoName.get(stated) ?? byInfoName.get(stated.replace(addedToName, ''));
  return own ?? (via === undefined ? undefined : byId.get(via));
}

const byInfoName = new Map(knownClients.flatMap((client) => (client.infoNames ?? []).map((name) => [name, client])));
const byId = new Map(knownClients.map((client) => [client.id, client]));

/** `claude-ai (via mcp-remote 0.1.37)`; Gemini CLI appends the name of the server: `gemini-cli-mcp-client-toolkeep`. */
const addedToName = / \(via mcp-remote [^()]*\)$|-toolkeep$/;

/** The names of clients for display, by the name in their `clientInfo`. */
export function appNames(): Record<string, string> {
  const names = Array.from(byInfoName, ([name, { app }]) => [name, app]);
  return Object.fromEntries(
    names.flatMap(([name, app]) => [
      [name, app],
      [`${name}-toolkeep`, app],
    ]),
  );
}

function withDefaults(id: string, { install, ...input }: DefinitionInput): ClientDefinition {
  const defaults: Pick<InstallDefinition, 'section' | 'entry'> = { section: 'mcpServers', entry: plainEntry };
  return {
    aliases: [],
    format: 'json',
    reader: section('mcpServers'),
    placeholders: [],
    ...input,
    id,
    locations: (machine) => input.locations(foldersOf(machine), machine),
    install: install && { ...defaults, ...install },
  };
}
