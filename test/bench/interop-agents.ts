/**
 * Agents that call tools only in a session with a model: the settings with which each uses another model and asks no
 * questions.
 */
import type { RealClient } from './interop-clients.ts';

const platform = `${process.platform}-${process.arch}`;
const prompt = 'Say something through Toolkeep.';
const model = 'scripted';
const key = 'stand-in';

const ofToolkeep = (tool: string) => `mcp__toolkeep__${tool}`;
const sample = ['npx', '-y', 'sample-server'];
/** The command with which most clients add a server. */
const added = ['mcp', 'add', 'sample', '--env', 'KEY=value', '--', ...sample];
const addedToUser = ['mcp', 'add', '--scope', 'user', '--env', 'KEY=value', 'sample', ...sample];

/** The settings of a client that uses OpenAI's API. */
const openai = (url: string) => ({ baseURL: `${url}/v1`, apiKey: key });

export const agents: RealClient[] = [
  {
    spec: '@anthropic-ai/claude-code@2.1.330',
    binary: `../claude-code-${platform}/claude`,
    install: ['claude-code', '.claude.json'],
    add: ['mcp', 'add', 'sample', '--scope', 'user', '--env', 'KEY=value', '--', ...sample],
    connect: ['mcp', 'list'],
    session: {
      env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
      args: ['--print', prompt, '--allowedTools', ...['search_tools', 'execute_tool', 'execute_tools'].map(ofToolkeep)],
    },
  },
  {
    spec: '@google/gemini-cli@0.61.0',
    install: ['gemini-cli', '.gemini/settings.json'],
    add: addedToUser,
    connect: ['mcp', 'list'],
    files: ({ home }) => ({
      '.gemini/trustedFolders.json': { [home]: 'TRUST_FOLDER' },
      '.gemini/settings.json': { security: { auth: { selectedType: 'gemini-api-key' } } },
    }),
    session: {
      env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
      args: ['--yolo', '--prompt', prompt],
    },
  },
  {
    spec: '@qwen-code/qwen-code@0.24.4',
    install: ['qwen-code', '.qwen/settings.json'],
    add: addedToUser,
    connect: ['mcp', 'list'],
    session: {
      env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model }),
      args: ['--yolo', '--auth-type', 'openai', prompt],
    },
  },
  {
    spec: 'opencode-ai@1.18.33',
    binary: `../opencode-${platform}/bin/opencode`,
    install: ['opencode', '.config/opencode/opencode.json'],
    add: added,
    connect: ['mcp', 'list'],
    files: ({ url }) => ({
      '.config/opencode/opencode.json': {
        provider: { [model]: { npm: '@ai-sdk/openai-compatible', options: openai(url), models: { [model]: {} } } },
      },
    }),
    session: { args: ['run', '--auto', '--model', `${model}/${model}`, prompt] },
  },
  {
    spec: '@openai/codex@0.169.0',
    install: ['codex', '.codex/config.toml'],
    add: added,
    files: ({ url }) => ({
      '.codex/config.toml': [
        `model = "${model}"`,
        `model_provider = "${model}"`,
        `[model_providers.${model}]`,
        `name = "${model}"`,
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    session: { args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt] },
  },
  {
    spec: '@github/copilot@1.0.102',
    binary: `../copilot-${platform}/copilot`,
    install: ['copilot-cli', '.copilot/mcp-config.json'],
    add: added,
    session: {
      env: (url) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: model }),
      args: ['--allow-all-tools', '--prompt', prompt],
    },
  },
  {
    spec: '@continuedev/cli@1.5.47',
    install: ['continue', '.continue/config.yaml'],
    files: ({ url }) => ({
      '.continue/config.yaml': [
        'name: stand-in',
        'version: 1.0.0',
        'schema: v1',
        `models: [{ name: ${model}, provider: openai, model: ${model}, apiBase: "${url}/v1", apiKey: ${key} }]`,
        '',
      ].join('\n'),
    }),
    session: { args: ['--print', '--auto', prompt] },
  },
  {
    spec: 'cline@3.0.65',
    binary: `../@cline/cli-${platform}/bin/cline`,
    install: ['cline', '.cline/data/settings/cline_mcp_settings.json'],
    add: ['mcp', 'add', 'sample', '--yes', '--', ...sample],
    files: ({ url }) => ({
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: key, model, baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    session: { args: ['--auto-approve', 'true', prompt] },
  },
];
