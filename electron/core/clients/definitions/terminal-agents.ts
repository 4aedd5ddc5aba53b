/** Terminal agents. */

import type { DefinitionInputs } from '../client-definition.ts';
import { limits } from '../client-limits.ts';
import { readAmp, readCopilot, readGemini, readGoose, readOpencode, section } from '../import/readers.ts';
import {
  argvEntry,
  clientTimeoutSeconds,
  entryWithTimeout,
  neverDeferred,
  newSessions,
  plainEntry,
  restart,
  sdkTimeoutMs,
  typedEntry,
} from './entries.ts';
import { importOnly, projectFile, userFile } from './locations.ts';

const timeoutMs = clientTimeoutSeconds * 1000;

export const terminalAgents: DefinitionInputs = {
  opencode: {
    app: 'opencode',
    limits: limits.anyModel,
    reader: readOpencode,
    timeoutUnit: 'ms',
    placeholders: ['braced-env'],
    locations: (f) => [
      userFile(f.dotConfig('opencode', 'opencode.json')),
      userFile(f.dotConfig('opencode', 'opencode.jsonc')),
      ...[f.fromEnv('OPENCODE_CONFIG', '')].filter((path) => path !== '').map((path) => userFile(path)),
      projectFile(f.project('opencode.json')),
      projectFile(f.project('opencode.jsonc')),
    ],
    install: {
      section: 'mcp',
      inner: 'servers',
      entry: argvEntry,
      afterwards: restart('opencode'),
      processes: ['opencode'],
    },
    infoNames: ['opencode'],
    // This client uses `resetTimeoutOnProgress` without an upper limit; versions that ignore progress do not request
    // it.
    progressExtendsTimeout: true,
  },
  'gemini-cli': {
    app: 'Gemini CLI',
    infoNames: ['gemini-cli-mcp-client'],
    limits: limits.gemini,
    callTimeoutMs: timeoutMs,
    aliases: ['gemini'],
    reader: readGemini,
    urlMeans: 'sse',
    timeoutUnit: 'ms',
    placeholders: ['dollar', 'percent'],
    locations: (f) => [
      userFile(`${f.fromEnv('GEMINI_CLI_HOME', f.home())}/.gemini/settings.json`),
      projectFile(f.project('.gemini', 'settings.json')),
    ],
    install: {
      entry: entryWithTimeout(timeoutMs),
      // An entry of the same name in a project's file does not inherit it.
      gate: { trust: true },
      timeoutMs,
      afterwards: newSessions('Gemini CLI'),
      processes: ['gemini'],
    },
  },
  'qwen-code': {
    app: 'Qwen Code',
    infoNames: ['qwen-code-mcp-client', 'qwen-cli-mcp-client'],
    limits: limits.anyModel,
    callTimeoutMs: timeoutMs,
    aliases: ['qwen'],
    reader: readGemini,
    urlMeans: 'sse',
    timeoutUnit: 'ms',
    placeholders: ['dollar', 'percent'],
    locations: (f) => [
      userFile(`${f.fromEnv('QWEN_HOME', f.home('.qwen'))}/settings.json`),
      projectFile(f.project('.qwen', 'settings.json')),
    ],
    install: {
      entry: (bridge) => ({ ...entryWithTimeout(timeoutMs)(bridge), ...neverDeferred('alwaysLoadTools', bridge) }),
      // Qwen Code holds an entry of the same name in a project's file until the user accepts it.
      gate: { trust: true },
      timeoutMs,
      afterwards: newSessions('Qwen Code'),
      processes: ['qwen'],
    },
  },
  codex: {
    app: 'Codex',
    infoNames: ['codex-mcp-client', 'Codex'],
    // Codex cuts the middle out of results above 10 KiB (openai/codex#6544, #14466).
    resultCharacters: 9_500,
    limits: limits.openai,
    callTimeoutMs: sdkTimeoutMs,
    format: 'toml',
    reader: section('mcp_servers'),
    locations: (f) => [
      userFile(`${f.fromEnv('CODEX_HOME', f.home('.codex'))}/config.toml`),
      projectFile(f.project('.codex', 'config.toml')),
    ],
    install: {
      section: 'mcp_servers',
      entry: (bridge) => ({ ...plainEntry(bridge), tool_timeout_sec: clientTimeoutSeconds }),
      // A project that the user trusts may set it for an entry of its own, too.
      gate: { default_tools_approval_mode: 'approve' },
      timeoutMs,
      afterwards: newSessions('Codex'),
      processes: ['codex'],
    },
  },
  'grok-build': {
    app: 'Grok Build',
    aliases: ['grok'],
    format: 'toml',
    reader: section('mcp_servers'),
    locations: (f) => [importOnly(`${f.fromEnv('GROK_HOME', f.home('.grok'))}/config.toml`)],
  },
  'copilot-cli': {
    app: 'GitHub Copilot CLI',
    infoNames: ['github-copilot-developer'],
    limits: limits.anyModel,
    // github/copilot-cli#1535
    callTimeoutMs: sdkTimeoutMs,
    aliases: ['copilot'],
    reader: readCopilot,
    timeoutUnit: 'ms',
    locations: (f) => [
      userFile(`${f.fromEnv('COPILOT_HOME', f.home('.copilot'))}/mcp-config.json`, {
        companions: (file) => [file.replace(/mcp-config\.json$/, 'settings.json')],
      }),
      projectFile(f.project('.github', 'mcp.json')),
    ],
    install: {
      entry: (bridge) => ({ type: 'local', ...plainEntry(bridge), tools: ['*'], timeout: timeoutMs }),
      gate: 'elsewhere',
      timeoutMs,
      afterwards: newSessions('Copilot CLI'),
      processes: ['copilot'],
    },
  },
  goose: {
    app: 'Goose',
    infoNames: ['goose'],
    limits: limits.anyModel,
    format: 'yaml',
    reader: readGoose,
    timeoutUnit: 's',
    locations: (f, { platform }) => [
      userFile(
        platform === 'win32'
          ? f.config('Block', 'goose', 'config', 'config.yaml')
          : f.dotConfig('goose', 'config.yaml'),
        { companions: (file) => [file.replace(/config\.yaml$/, 'permission.yaml')] },
      ),
    ],
    install: {
      section: 'extensions',
      entry: ({ command, args, env }) => ({
        name: 'toolkeep',
        type: 'stdio',
        cmd: command,
        args,
        ...(env ? { envs: env } : {}),
        enabled: true,
        timeout: clientTimeoutSeconds,
      }),
      timeoutMs,
      afterwards: newSessions('Goose'),
      processes: ['goose'],
    },
  },
  warp: {
    app: 'Warp',
    limits: limits.anyModel,
    locations: (f) => [userFile(f.home('.warp', '.mcp.json')), projectFile(f.project('.warp', '.mcp.json'))],
    install: {
      afterwards: 'Start "toolkeep" in the MCP settings of Warp.',
      processes: ['warp', 'Warp', 'warp-terminal', 'Warp.exe'],
    },
  },
  amp: {
    app: 'Amp',
    infoNames: ['amp-mcp-client'],
    limits: limits.anyModel,
    callTimeoutMs: sdkTimeoutMs,
    reader: readAmp,
    locations: (f) => [userFile(f.dotConfig('amp', 'settings.json'))],
    install: { section: 'amp.mcpServers', afterwards: newSessions('Amp'), processes: ['amp'] },
  },
  crush: {
    app: 'Crush',
    infoNames: ['crush'],
    limits: limits.anyModel,
    reader: section('mcp'),
    timeoutUnit: 's',
    locations: (f) => [
      userFile(`${f.fromEnv('CRUSH_GLOBAL_CONFIG', f.dotConfig('crush'))}/crush.json`),
      projectFile(f.project('crush.json')),
    ],
    install: { section: 'mcp', entry: typedEntry('stdio'), afterwards: newSessions('Crush'), processes: ['crush'] },
  },
  'factory-droid': {
    app: 'Factory Droid',
    infoNames: ['factory-cli'],
    limits: limits.anyModel,
    aliases: ['droid'],
    locations: (f) => [userFile(f.home('.factory', 'mcp.json')), projectFile(f.project('.factory', 'mcp.json'))],
    install: { entry: typedEntry('stdio'), afterwards: newSessions('Factory Droid'), processes: ['droid'] },
  },
  auggie: {
    app: 'Auggie',
    aliases: ['augment'],
    locations: (f) => [userFile(f.home('.augment', 'settings.json'))],
    install: { afterwards: newSessions('Auggie'), processes: ['auggie'] },
  },
  'devin-cli': {
    app: 'Devin CLI',
    aliases: ['devin'],
    locations: (f) => [importOnly(f.dotConfig('devin', 'mcp_config.json'))],
  },
  'kimi-code': {
    app: 'Kimi Code',
    aliases: ['kimi'],
    locations: (f) => [importOnly(`${f.fromEnv('KIMI_CODE_HOME', f.home('.kimi-code'))}/mcp.json`)],
  },
  hermes: {
    app: 'Hermes',
    format: 'yaml',
    reader: section('mcp_servers'),
    locations: (f) => [importOnly(f.home('.hermes', 'config.yaml'))],
  },
  pi: { app: 'Pi', locations: (f) => [importOnly(f.home('.pi', 'agent', 'mcp.json'))] },
  'oh-my-pi': {
    app: 'Oh My Pi',
    aliases: ['omp'],
    locations: (f) => [importOnly(f.home('.omp', 'agent', 'mcp.json'))],
  },
};
