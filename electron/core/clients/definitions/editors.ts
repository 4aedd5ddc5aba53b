/** Editors, and agents that run as editor extensions. */

import type { DefinitionInputs } from '../client-definition.ts';
import { limits } from '../client-limits.ts';
import type { Folders } from '../import/paths.ts';
import {
  readAnyShape,
  readContinue,
  readCursor,
  readOpencode,
  readVsCodeSettings,
  readZed,
  section,
} from '../import/readers.ts';
import {
  argvEntry,
  clientTimeoutSeconds,
  entryWithTimeout,
  plainEntry,
  reloads,
  restart,
  sdkTimeoutMs,
  typedEntry,
} from './entries.ts';
import { importOnly, onlyOn, projectFile, userFile } from './locations.ts';

/** Editors that run the extensions Cline and Roo Code. */
const extensionHosts = ['Code', 'Code - Insiders', 'Cursor'];

const globalStorage = (folders: Folders, extension: string, file: string) =>
  extensionHosts.map((product) =>
    userFile(folders.config(product, 'User', 'globalStorage', extension, 'settings', file)),
  );

export const editors: DefinitionInputs = {
  windsurf: {
    app: 'Windsurf',
    infoNames: ['windsurf-client', 'Windsurf'],
    limits: limits.anyModel,
    aliases: ['devin-desktop'],
    locations: (f) => [
      userFile(f.home('.codeium', 'windsurf', 'mcp_config.json')),
      userFile(f.home('.codeium', 'mcp_config.json')),
      importOnly(f.home('.windsurf', 'mcp.json')),
    ],
    install: {
      afterwards: 'Press "Refresh" in the MCP settings of Windsurf, or restart it.',
      processes: ['windsurf', 'Windsurf', 'Windsurf.exe'],
    },
  },
  cursor: {
    app: 'Cursor',
    infoNames: ['cursor-vscode', 'cursor'],
    limits: limits.cursor,
    callTimeoutMs: sdkTimeoutMs,
    reader: readCursor,
    locations: (f) => {
      const companions = () => [f.home('.cursor', 'cli-config.json')];
      const ofProject = () => [...companions(), f.project('.cursor', 'cli.json')];
      return [
        userFile(f.home('.cursor', 'mcp.json'), { companions }),
        projectFile(f.project('.cursor', 'mcp.json'), { companions: ofProject }),
      ];
    },
    install: { afterwards: reloads('Cursor'), processes: ['cursor', 'Cursor', 'Cursor.exe'] },
  },
  vscode: {
    app: 'VS Code',
    infoNames: ['Visual Studio Code', 'Visual-Studio-Code', 'Visual Studio Code - Insiders'],
    limits: limits.vscode,
    // With larger images, some models' APIs reject every further request of the session (microsoft/vscode#306383).
    images: { side: 2_000 },
    aliases: ['vs-code', 'code'],
    reader: section('servers'),
    locations: (f) => [
      ...['Code', 'Code - Insiders', 'VSCodium'].flatMap((product) => [
        (product === 'VSCodium' ? importOnly : userFile)(f.config(product, 'User', 'mcp.json')),
        importOnly(f.config(product, 'User', 'profiles', '*', 'mcp.json')),
        importOnly(f.config(product, 'User', 'settings.json'), { reader: readVsCodeSettings }),
      ]),
      importOnly(f.home('.vscode-server', 'data', 'User', 'mcp.json')),
      projectFile(f.project('.vscode', 'mcp.json')),
    ],
    install: {
      section: 'servers',
      entry: typedEntry('stdio'),
      afterwards: 'VS Code asks whether to trust and start it.',
      processes: ['code', 'Code', 'Code.exe'],
    },
  },
  'visual-studio': {
    app: 'Visual Studio',
    reader: section('servers'),
    // On other systems, a project's .mcp.json is that of Claude Code.
    locations: (f, m) => onlyOn(m, 'win32', userFile(f.home('.mcp.json')), projectFile(f.project('.mcp.json'))),
    install: {
      section: 'servers',
      entry: typedEntry('stdio'),
      afterwards: reloads('Visual Studio'),
      processes: ['devenv.exe'],
    },
  },
  zed: {
    app: 'Zed',
    infoNames: ['Zed'],
    limits: limits.anyModel,
    // Zed's default timeout, which its settings can change (zed-industries/zed#45378).
    callTimeoutMs: 60_000,
    reader: readZed,
    // ~/.config, also on macOS.
    locations: (f, { platform }) => [
      userFile(f.dotConfig(platform === 'win32' ? 'Zed' : 'zed', 'settings.json')),
      projectFile(f.project('.zed', 'settings.json')),
    ],
    install: {
      section: 'context_servers',
      entry: (bridge) => ({ source: 'custom', ...plainEntry(bridge) }),
      afterwards: reloads('Zed'),
      processes: ['zed', 'zed-editor', 'Zed', 'Zed.exe'],
    },
  },
  cline: {
    app: 'Cline',
    infoNames: ['Cline', '@cline-core'],
    limits: limits.anyModel,
    callTimeoutMs: sdkTimeoutMs,
    aliases: ['cline-cli'],
    urlMeans: 'sse',
    timeoutUnit: 's',
    // Cline CLI and newer extensions share one file; older extensions use the editor's storage.
    locations: (f) => [
      userFile(
        f.fromEnv(
          'CLINE_MCP_SETTINGS_PATH',
          `${f.fromEnv('CLINE_DIR', f.home('.cline'))}/data/settings/cline_mcp_settings.json`,
        ),
      ),
      ...globalStorage(f, 'saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
    ],
    install: {
      entry: entryWithTimeout(clientTimeoutSeconds),
      timeoutMs: clientTimeoutSeconds * 1000,
      afterwards: reloads('Cline'),
      processes: ['cline'],
    },
  },
  roo: {
    app: 'Roo Code',
    infoNames: ['Roo-Code', 'Roo Code'],
    limits: limits.anyModel,
    callTimeoutMs: sdkTimeoutMs,
    aliases: ['roo-code'],
    timeoutUnit: 's',
    locations: (f) => [
      ...globalStorage(f, 'rooveterinaryinc.roo-cline', 'mcp_settings.json'),
      projectFile(f.project('.roo', 'mcp.json')),
    ],
    install: {
      entry: entryWithTimeout(clientTimeoutSeconds),
      timeoutMs: clientTimeoutSeconds * 1000,
      afterwards: reloads('Roo Code'),
    },
  },
  kilo: {
    app: 'Kilo Code',
    infoNames: ['Kilo-Code', 'kilo'],
    limits: limits.anyModel,
    aliases: ['kilo-code'],
    // Kilo Code's command line is based on opencode.
    reader: readOpencode,
    timeoutUnit: 'ms',
    placeholders: ['braced-env'],
    locations: (f) => [
      userFile(f.dotConfig('kilo', 'kilo.json')),
      userFile(f.dotConfig('kilo', 'kilo.jsonc')),
      projectFile(f.project('kilo.json')),
      projectFile(f.project('kilo.jsonc')),
    ],
    install: {
      section: 'mcp',
      inner: 'servers',
      entry: argvEntry,
      afterwards: restart('Kilo Code'),
      processes: ['kilo'],
    },
  },
  continue: {
    app: 'Continue',
    infoNames: ['continue-cli-client', 'continue-client'],
    limits: limits.anyModel,
    callTimeoutMs: sdkTimeoutMs,
    format: 'yaml',
    placeholders: ['actions'],
    reader: readContinue,
    locations: (f) => [
      userFile(f.home('.continue', 'config.yaml'), { companions: () => [f.home('.continue', 'permissions.yaml')] }),
      ...['yaml', 'yml', 'json'].flatMap((extension) => {
        // A JSON file contains a map of servers in another client's format.
        const ofOthers = extension === 'json' ? { format: 'json' as const, reader: readAnyShape } : {};
        const more = { ...ofOthers, companions: () => [f.home('.continue', 'permissions.yaml')] };
        return [
          importOnly(f.home('.continue', 'mcpServers', `*.${extension}`), more),
          projectFile(f.project('.continue', 'mcpServers', `*.${extension}`), more),
        ];
      }),
    ],
    install: { list: true, afterwards: reloads('Continue') },
  },
  kiro: {
    app: 'Kiro',
    infoNames: ['Kiro', 'Q-DEV-CLI'],
    limits: limits.claude,
    aliases: ['amazon-q'],
    locations: (f) => [
      userFile(f.home('.kiro', 'settings', 'mcp.json')),
      importOnly(f.home('.aws', 'amazonq', 'mcp.json')),
      projectFile(f.project('.kiro', 'settings', 'mcp.json')),
    ],
    install: { afterwards: reloads('Kiro'), processes: ['kiro', 'Kiro', 'Kiro.exe'] },
  },
  junie: {
    app: 'Junie',
    limits: limits.anyModel,
    locations: (f) => [
      userFile(f.home('.junie', 'mcp', 'mcp.json')),
      projectFile(f.project('.junie', 'mcp', 'mcp.json')),
    ],
    install: { afterwards: restart('Junie') },
  },
  antigravity: {
    app: 'Antigravity',
    infoNames: ['antigravity-client'],
    limits: limits.anyModel,
    locations: (f) => [
      userFile(f.home('.gemini', 'config', 'mcp_config.json')),
      importOnly(f.home('.gemini', 'antigravity', 'mcp_config.json')),
    ],
    install: {
      afterwards: 'Press "Refresh" in the MCP settings of Antigravity, or restart it.',
      processes: ['antigravity', 'Antigravity'],
    },
  },
};
