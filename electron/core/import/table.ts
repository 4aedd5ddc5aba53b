/** The rows of the table of clients: where each keeps its servers, and how it writes them down. */
import { readExtension } from './extension.ts';
import type { Folders, Machine, Place } from './places.ts';
import {
  readAnyShape,
  readClaudeCode,
  readDockerRegistry,
  readGemini,
  readGoose,
  readVsCodeSettings,
  section,
} from './readers.ts';
import { type ClientSource, formatOf } from './source.ts';

/** A client as its row tells it; what a row leaves out has the usual value. */
export type Row = Pick<ClientSource, 'app'> &
  Partial<Omit<ClientSource, 'places' | 'id'>> & { places(folders: Folders, machine: Machine): Place[] };

const user = (path: string, more: Partial<Place> = {}): Place => ({ path, scope: 'user', ...more });
const project = (path: string, more: Partial<Place> = {}): Place => ({ path, scope: 'project', ...more });
const managed = (path: string, more: Partial<Place> = {}): Place => ({ path, scope: 'managed', ...more });
const onlyOn = (machine: Machine, platform: NodeJS.Platform, ...places: Place[]): Place[] =>
  machine.platform === platform ? places : [];

/** Editors built from VS Code: settings folders by product. */
const vsCodeProducts = ['Code', 'Code - Insiders', 'VSCodium'];

/** Editors that run the extensions Cline and Roo. */
const extensionHosts = ['Code', 'Code - Insiders', 'Cursor'];

const globalStorage = (folders: Folders, product: string, extension: string, file: string) =>
  folders.config(product, 'User', 'globalStorage', extension, 'settings', file);

/** `~/.config` on macOS too. */
const zedSettings = (folders: Folders, { platform }: Machine) =>
  folders.dotConfig(platform === 'win32' ? 'Zed' : 'zed', 'settings.json');

/** Single files for Continue hold the map of other clients when they are JSON. */
const continueFile = (ending: string): Partial<Place> =>
  ending === 'json' ? { format: 'json', reader: readAnyShape } : {};

/** One row per client; what a row leaves out is a JSON file with `mcpServers`. */
export const rows: Record<string, Row> = {
  'claude-desktop': {
    app: 'Claude Desktop',
    aliases: ['claude'],
    places: (f, m) => [
      user(f.config('Claude', 'claude_desktop_config.json')),
      ...onlyOn(
        m,
        'win32',
        user(f.local('Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json')),
      ),
    ],
  },
  'claude-extensions': {
    app: 'Claude Desktop extensions',
    reader: readExtension,
    places: (f, m) => {
      const settingsOf = (file: string) =>
        file.replace(
          /([\\/])Claude Extensions([\\/])([^\\/]+)[\\/]manifest\.json$/,
          '$1Claude Extensions Settings$2$3.json',
        );
      const at = (...base: string[]) => user(`${base[0]}`, { companion: settingsOf });
      return [
        at(f.config('Claude', 'Claude Extensions', '*', 'manifest.json')),
        ...onlyOn(
          m,
          'win32',
          at(
            f.local(
              'Packages',
              'Claude_*',
              'LocalCache',
              'Roaming',
              'Claude',
              'Claude Extensions',
              '*',
              'manifest.json',
            ),
          ),
        ),
      ];
    },
  },
  'claude-code': {
    app: 'Claude Code',
    places: (f, m) => [
      user(`${f.fromEnv('CLAUDE_CONFIG_DIR', f.home())}/.claude.json`, { reader: readClaudeCode }),
      project(f.project('.mcp.json')),
      managed(
        m.platform === 'darwin'
          ? '/Library/Application Support/ClaudeCode/managed-mcp.json'
          : m.platform === 'win32'
            ? 'C:\\Program Files\\ClaudeCode\\managed-mcp.json'
            : '/etc/claude-code/managed-mcp.json',
      ),
    ],
  },
  windsurf: {
    app: 'Windsurf',
    aliases: ['devin-desktop'],
    places: (f) => [
      user(f.home('.codeium', 'windsurf', 'mcp_config.json')),
      user(f.home('.codeium', 'mcp_config.json')),
      user(f.home('.windsurf', 'mcp.json')),
    ],
  },
  docker: {
    app: 'Docker MCP Toolkit',
    aliases: ['docker-mcp', 'docker-mcp-toolkit'],
    places: (f) => [
      user(f.home('.docker', 'mcp-servers.json')),
      user(f.home('.docker', 'mcp', 'registry.yaml'), { format: 'yaml', reader: readDockerRegistry }),
    ],
  },
  cursor: {
    app: 'Cursor',
    places: (f) => [user(f.home('.cursor', 'mcp.json')), project(f.project('.cursor', 'mcp.json'))],
  },
  vscode: {
    app: 'VS Code',
    aliases: ['vs-code', 'code'],
    reader: section('servers'),
    places: (f) => [
      ...vsCodeProducts.flatMap((product) => [
        user(f.config(product, 'User', 'mcp.json')),
        user(f.config(product, 'User', 'profiles', '*', 'mcp.json')),
        user(f.config(product, 'User', 'settings.json'), { reader: readVsCodeSettings }),
      ]),
      user(f.home('.vscode-server', 'data', 'User', 'mcp.json')),
      project(f.project('.vscode', 'mcp.json')),
    ],
  },
  'visual-studio': {
    app: 'Visual Studio',
    reader: section('servers'),
    places: (f, m) => [...onlyOn(m, 'win32', user(f.home('.mcp.json'))), project(f.project('.mcp.json'))],
  },
  zed: {
    app: 'Zed',
    reader: section('context_servers'),
    places: (f, m) => [user(zedSettings(f, m)), project(f.project('.zed', 'settings.json'))],
  },
  cline: {
    app: 'Cline',
    urlMeans: 'sse',
    timeoutUnit: 's',
    places: (f) =>
      extensionHosts.map((product) =>
        user(globalStorage(f, product, 'saoudrizwan.claude-dev', 'cline_mcp_settings.json')),
      ),
  },
  roo: {
    app: 'Roo Code',
    aliases: ['roo-code'],
    timeoutUnit: 's',
    places: (f) => [
      ...extensionHosts.map((product) =>
        user(globalStorage(f, product, 'rooveterinaryinc.roo-cline', 'mcp_settings.json')),
      ),
      project(f.project('.roo', 'mcp.json')),
    ],
  },
  kilo: {
    app: 'Kilo Code',
    aliases: ['kilo-code'],
    reader: section('mcp'),
    timeoutUnit: 'ms',
    placeholders: ['braced-env'],
    places: (f) => [
      user(f.dotConfig('kilo', 'kilo.json')),
      user(f.dotConfig('kilo', 'kilo.jsonc')),
      project(f.project('kilo.json')),
      project(f.project('kilo.jsonc')),
    ],
  },
  opencode: {
    app: 'opencode',
    reader: section('mcp'),
    timeoutUnit: 'ms',
    placeholders: ['braced-env'],
    places: (f) => [
      user(f.dotConfig('opencode', 'opencode.json')),
      user(f.dotConfig('opencode', 'opencode.jsonc')),
      ...[f.fromEnv('OPENCODE_CONFIG', '')].filter((path) => path !== '').map((path) => user(path)),
      project(f.project('opencode.json')),
      project(f.project('opencode.jsonc')),
    ],
  },
  continue: {
    app: 'Continue',
    format: 'yaml',
    placeholders: ['actions'],
    places: (f) => [
      user(f.home('.continue', 'config.yaml')),
      ...['yaml', 'yml', 'json'].flatMap((ending) => [
        user(f.home('.continue', 'mcpServers', `*.${ending}`), continueFile(ending)),
        project(f.project('.continue', 'mcpServers', `*.${ending}`), continueFile(ending)),
      ]),
    ],
  },
  'gemini-cli': {
    app: 'Gemini CLI',
    aliases: ['gemini'],
    reader: readGemini,
    urlMeans: 'sse',
    timeoutUnit: 'ms',
    placeholders: ['dollar', 'percent'],
    places: (f) => [
      user(`${f.fromEnv('GEMINI_CLI_HOME', f.home())}/.gemini/settings.json`),
      project(f.project('.gemini', 'settings.json')),
    ],
  },
  codex: {
    app: 'Codex',
    format: 'toml',
    reader: section('mcp_servers'),
    places: (f) => [
      user(`${f.fromEnv('CODEX_HOME', f.home('.codex'))}/config.toml`),
      project(f.project('.codex', 'config.toml')),
    ],
  },
  'copilot-cli': {
    app: 'GitHub Copilot CLI',
    aliases: ['copilot'],
    places: (f) => [
      user(`${f.fromEnv('COPILOT_HOME', f.home('.copilot'))}/mcp-config.json`),
      project(f.project('.github', 'mcp.json')),
    ],
  },
  'lm-studio': { app: 'LM Studio', aliases: ['lmstudio'], places: (f) => [user(f.home('.lmstudio', 'mcp.json'))] },
  goose: {
    app: 'Goose',
    format: 'yaml',
    reader: readGoose,
    timeoutUnit: 's',
    places: (f, m) => [
      user(
        m.platform === 'win32'
          ? f.config('Block', 'goose', 'config', 'config.yaml')
          : f.dotConfig('goose', 'config.yaml'),
      ),
    ],
  },
  kiro: {
    app: 'Kiro',
    aliases: ['amazon-q'],
    places: (f) => [
      user(f.home('.kiro', 'settings', 'mcp.json')),
      user(f.home('.aws', 'amazonq', 'mcp.json')),
      project(f.project('.kiro', 'settings', 'mcp.json')),
    ],
  },
  junie: {
    app: 'Junie',
    places: (f) => [user(f.home('.junie', 'mcp', 'mcp.json')), project(f.project('.junie', 'mcp', 'mcp.json'))],
  },
  warp: {
    app: 'Warp',
    places: (f) => [user(f.home('.warp', '.mcp.json')), project(f.project('.warp', '.mcp.json'))],
  },
  librechat: {
    app: 'LibreChat',
    format: 'yaml',
    timeoutUnit: 'ms',
    places: (f) => [project(f.project('librechat.yaml')), user(f.home('librechat.yaml'))],
  },
  antigravity: {
    app: 'Antigravity',
    places: (f) => [
      user(f.home('.gemini', 'config', 'mcp_config.json')),
      user(f.home('.gemini', 'antigravity', 'mcp_config.json')),
    ],
  },
  custom: {
    app: 'Custom file',
    aliases: ['file', 'yaml'],
    reader: readAnyShape,
    places: (f) =>
      ['mcp-servers.yaml', 'mcp-servers.yml', 'mcp-servers.json'].flatMap((name) => [
        project(f.project(name), { format: formatOf(name) }),
        user(f.home('.gatehouse', name), { format: formatOf(name) }),
      ]),
  },
};
