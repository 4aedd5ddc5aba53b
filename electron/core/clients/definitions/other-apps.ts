/** Chat apps, servers of other products, and files that belong to no client. */
import { dirname, join } from 'node:path';
import type { DefinitionInputs } from '../client-definition.ts';
import { readDockerDatabase } from '../documents/docker-database.ts';
import { readDockerProfiles, readDockerRegistry } from '../import/docker.ts';
import { readAnyShape } from '../import/readers.ts';
import { reloads } from './entries.ts';
import { byExtension, importOnly, projectFile, userFile } from './locations.ts';

export const otherApps: DefinitionInputs = {
  docker: {
    app: 'Docker MCP Toolkit',
    aliases: ['docker-mcp', 'docker-mcp-toolkit'],
    locations: (f) => [
      importOnly(f.home('.docker', 'mcp-servers.json')),
      importOnly(f.home('.docker', 'mcp', 'registry.yaml'), {
        format: 'yaml',
        reader: readDockerRegistry,
        companions: (file) => [join(dirname(file), 'tools.yaml')],
      }),
      importOnly(f.home('.docker', 'mcp', 'mcp-toolkit.db'), { load: readDockerDatabase, reader: readDockerProfiles }),
    ],
  },
  'lm-studio': {
    app: 'LM Studio',
    aliases: ['lmstudio'],
    locations: (f) => [userFile(f.home('.lmstudio', 'mcp.json'))],
    install: { afterwards: reloads('LM Studio'), processes: ['lm-studio', 'LM Studio', 'LM Studio.exe'] },
  },
  librechat: {
    app: 'LibreChat',
    format: 'yaml',
    timeoutUnit: 'ms',
    locations: (f) => [projectFile(f.project('librechat.yaml')), importOnly(f.home('librechat.yaml'))],
  },
  anythingllm: {
    app: 'AnythingLLM',
    locations: (f) => [
      importOnly(f.config('anythingllm-desktop', 'storage', 'plugins', 'anythingllm_mcp_servers.json')),
    ],
  },
  witsy: { app: 'Witsy', locations: (f) => [importOnly(f.config('Witsy', 'settings.json'))] },
  boltai: { app: 'BoltAI', locations: (f) => [importOnly(f.home('.boltai', 'mcp.json'))] },
  jan: { app: 'Jan', locations: (f) => [importOnly(f.config('Jan', 'data', 'mcp_config.json'))] },
  custom: {
    app: 'Custom file',
    aliases: ['file', 'yaml'],
    reader: readAnyShape,
    locations: (f) =>
      ['mcp-servers.yaml', 'mcp-servers.yml', 'mcp-servers.json'].flatMap((name) => [
        projectFile(f.project(name), byExtension(name)),
        importOnly(f.home('.toolkeep', name), byExtension(name)),
      ]),
  },
};
