/** Anthropic's clients. */

import type { DefinitionInputs } from '../client-definition.ts';
import { limits } from '../client-limits.ts';
import { readExtension } from '../import/claude-extensions.ts';
import { readClaudeCode, readClaudeServers } from '../import/readers.ts';
import { neverDeferred, newSessions, restart, typedEntry, unlimitedMs } from './entries.ts';
import { importOnly, managedFile, onlyOn, projectFile, userFile } from './locations.ts';

/** The Store version of Claude Desktop redirects %APPDATA% to this folder below %LOCALAPPDATA%. */
const storeFolder = ['Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude'];
const extensionManifest = ['Claude Extensions', '*', 'manifest.json'];

/** `…/Claude Extensions/ID/manifest.json` → `…/Claude Extensions Settings/ID.json` */
const extensionSettings = (file: string) => [
  file.replace(/([\\/])Claude Extensions([\\/])([^\\/]+)[\\/]manifest\.json$/, '$1Claude Extensions Settings$2$3.json'),
];

const managedFolders = {
  darwin: '/Library/Application Support/ClaudeCode/',
  win32: 'C:\\Program Files\\ClaudeCode\\',
  linux: '/etc/claude-code/',
};
const managedClaudeCode = (platform: NodeJS.Platform, name: string) =>
  managedFolders[platform === 'darwin' || platform === 'win32' ? platform : 'linux'] + name;

export const claudeClients: DefinitionInputs = {
  'claude-desktop': {
    app: 'Claude Desktop',
    infoNames: ['claude-ai'],
    limits: limits.claude,
    // The timeout is not configurable (anthropics/claude-code#22542, #63379). In some versions, it is four minutes (#65643).
    callTimeoutMs: 60_000,
    // "Tool result is too large. Maximum size is 1MB." (CursorTouch/Windows-MCP#155)
    images: { characters: 900_000 },
    aliases: ['claude'],
    locations: (f, m) => [
      userFile(f.config('Claude', 'claude_desktop_config.json')),
      ...onlyOn(m, 'win32', userFile(f.local(...storeFolder, 'claude_desktop_config.json'))),
    ],
    install: { afterwards: restart('Claude Desktop'), processes: ['Claude', 'claude-desktop', 'Claude.exe'] },
  },
  'claude-extensions': {
    app: 'Claude Desktop extensions',
    reader: readExtension,
    locations: (f, m) => [
      importOnly(f.config('Claude', ...extensionManifest), { companions: extensionSettings }),
      ...onlyOn(
        m,
        'win32',
        importOnly(f.local(...storeFolder, ...extensionManifest), { companions: extensionSettings }),
      ),
    ],
  },
  'claude-code': {
    app: 'Claude Code',
    infoNames: ['claude-code'],
    limits: limits.claude,
    // MCP_TOOL_TIMEOUT is 28 hours by default, but 60 seconds in the desktop app's tab (anthropics/claude-code#63379).
    callTimeoutMs: unlimitedMs,
    locations: (f, { platform }) => {
      const settings = [
        `${f.fromEnv('CLAUDE_CONFIG_DIR', f.home('.claude'))}/settings.json`,
        managedClaudeCode(platform, 'managed-settings.json'),
      ];
      const ofProject = ['settings.json', 'settings.local.json'].map((name) => f.project('.claude', name));
      return [
        userFile(`${f.fromEnv('CLAUDE_CONFIG_DIR', f.home())}/.claude.json`, {
          reader: readClaudeCode,
          companions: () => settings,
        }),
        projectFile(f.project('.mcp.json'), { companions: () => [...settings, ...ofProject] }),
        managedFile(managedClaudeCode(platform, 'managed-mcp.json'), { companions: () => settings }),
      ];
    },
    reader: readClaudeServers,
    install: {
      entry: (bridge) => ({ ...typedEntry('stdio')(bridge), ...neverDeferred('alwaysLoad', bridge) }),
      gate: 'elsewhere',
      afterwards: newSessions('Claude Code'),
      processes: ['claude'],
    },
  },
};
