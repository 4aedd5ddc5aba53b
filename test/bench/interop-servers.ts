/** Real MCP servers from npm in fixed versions, with the stand-in values that each needs to start, and a harmless call. */

type Json = Record<string, unknown>;

export interface RealServer {
  /** The package and its version. */
  spec: string;
  args?: string[];
  env?: Record<string, string>;
  /**
   * A call that changes nothing and needs no account: [tool, arguments]. If it is missing, the server gets a call of a tool that
   * only reads, with example arguments. With a stand-in value for the account, its result is an error.
   */
  call?: [tool: string, args: Json];
  /** Calls that the server accepts although their arguments do not match the schema. */
  lenient?: [tool: string, args: Json][];
}

/** In arguments: the folder that file servers may read, with a file `note.txt`. */
export const folder = '{folder}';
/** In arguments: the path of a Chromium. */
export const chromium = '{chromium}';
/** In arguments and variables: the token of the server's account. */
export const token = 'stand-in-0123456789';

/** The examples of the apps extension, which list their tools to clients that show apps. */
const appExamples: RealServer[] = [
  'basic-vanillajs@2.0.3',
  'basic-react@2.0.3',
  'basic-preact@2.0.3',
  'basic-solid@2.0.3',
  'basic-svelte@2.0.3',
  'basic-vue@2.0.3',
  'budget-allocator@2.0.3',
  'cohort-heatmap@2.0.3',
  'customer-segmentation@2.0.3',
  'map@2.0.3',
  'pdf@2.0.4',
  'scenario-modeler@2.0.3',
  'shadertoy@2.0.3',
  'sheet-music@2.0.3',
  'system-monitor@2.0.3',
  'threejs@2.0.3',
  'transcript@2.0.3',
  'video-resource@2.0.3',
  'wiki-explorer@2.0.3',
].map((name) => ({ spec: `@modelcontextprotocol/server-${name}`, args: ['--stdio'] }));

export const realServers: RealServer[] = [
  ...appExamples,
  { spec: 'figma-developer-mcp@0.13.2', args: ['--stdio', `--figma-api-key=${token}`] },
  { spec: '@brightdata/mcp@2.11.3', env: { API_TOKEN: token } },
  { spec: '@zereight/mcp-gitlab@2.1.64', env: { GITLAB_PERSONAL_ACCESS_TOKEN: token } },
  { spec: '@hubspot/mcp-server@0.4.0', env: { PRIVATE_APP_ACCESS_TOKEN: token } },
  { spec: '@launchdarkly/mcp-server@0.6.2', args: ['start', '--api-key', token] },
  { spec: '@mapbox/mcp-server@0.2.0', env: { MAPBOX_ACCESS_TOKEN: 'pk.eyJ1IjoieCJ9.c3RhbmQtaW4' } },
  { spec: 'mongodb-mcp-server@3.0.4', call: ['list-knowledge-sources', {}] },
  { spec: '@sentry/mcp-server@0.36.0', args: [`--access-token=${token}`] },
  { spec: 'xcodebuildmcp@2.7.0', args: ['mcp'] },
  {
    spec: '@agent-infra/mcp-server-filesystem@1.2.29',
    args: ['--allowed-directories', folder],
    call: ['list_directory', { path: folder }],
  },
  { spec: '@openbnb/mcp-server-airbnb@0.3.0', args: ['--ignore-robots-txt'] },
  { spec: 'airtable-mcp-server@1.14.0', env: { AIRTABLE_API_KEY: token } },
  {
    spec: 'argocd-mcp@0.9.0',
    args: ['stdio'],
    env: { ARGOCD_BASE_URL: 'http://127.0.0.1:9', ARGOCD_API_TOKEN: token },
  },
  { spec: '@roychri/mcp-server-asana@1.8.0', env: { ASANA_ACCESS_TOKEN: token } },
  { spec: '@azure-devops/mcp@2.10.0', args: ['stand-in'] },
  { spec: 'backlog-mcp-server@0.20.4', env: { BACKLOG_DOMAIN: 'stand-in.backlog.com', BACKLOG_API_KEY: token } },
  { spec: '@modelcontextprotocol/server-brave-search@0.6.2', env: { BRAVE_API_KEY: token } },
  { spec: '@brave/brave-search-mcp-server@2.1.4', env: { BRAVE_API_KEY: token } },
  { spec: '@browsermcp/mcp@0.1.3' },
  { spec: 'chrome-devtools-mcp@1.11.0', args: ['--headless', '--executablePath', chromium] },
  { spec: '@circleci/mcp-server-circleci@0.20.0', env: { CIRCLECI_TOKEN: token } },
  { spec: '@google-cloud/cloud-run-mcp@1.10.0' },
  { spec: '@cloudflare/mcp-server-cloudflare@0.2.0', args: ['run', token], env: { CLOUDFLARE_API_TOKEN: token } },
  { spec: '@codacy/codacy-mcp@0.5.9', env: { CODACY_ACCOUNT_TOKEN: token } },
  { spec: '@upstash/context7-mcp@4.1.1' },
  { spec: '@currents/mcp@2.1.1', env: { CURRENTS_API_KEY: token } },
  { spec: '@winor30/mcp-server-datadog@1.8.0', env: { DATADOG_API_KEY: token, DATADOG_APP_KEY: token } },
  {
    spec: '@wonderwhy-er/desktop-commander@0.2.52',
    args: ['--no-onboarding'],
    call: ['list_directory', { path: folder }],
    lenient: [['read_file', { path: `${folder}/note.txt`, extra: 1 }]],
  },
  { spec: '@drawio/mcp@1.6.1' },
  { spec: 'duckduckgo-mcp-server@0.1.2' },
  { spec: '@executeautomation/playwright-mcp-server@1.0.12', call: ['playwright_close', {}] },
  { spec: '@eslint/mcp@0.3.13', call: ['lint-files', { filePaths: [`${folder}/none.js`] }] },
  {
    spec: '@modelcontextprotocol/server-everything@2026.8.31',
    call: ['echo', { message: 'hello' }],
    lenient: [['echo', { message: 'hello', extra: true }]],
  },
  { spec: 'exa-mcp-server@3.4.1', env: { EXA_API_KEY: token } },
  {
    spec: '@negokaz/excel-mcp-server@0.12.0',
    call: ['excel_describe_sheets', { fileAbsolutePath: `${folder}/no.xlsx` }],
  },
  { spec: 'fetcher-mcp@0.3.9' },
  {
    spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
    args: [folder],
    call: ['read_text_file', { path: `${folder}/note.txt` }],
    lenient: [['read_text_file', { path: `${folder}/note.txt`, extra: 1 }]],
  },
  { spec: '@google-cloud/gcloud-mcp@0.5.3' },
  { spec: '@cyanheads/git-mcp-server@2.15.3', call: ['git_status', { path: folder }] },
  { spec: '@modelcontextprotocol/server-github@2025.4.8', env: { GITHUB_PERSONAL_ACCESS_TOKEN: token } },
  { spec: '@modelcontextprotocol/server-gitlab@2025.4.25', env: { GITLAB_PERSONAL_ACCESS_TOKEN: token } },
  { spec: '@gongrzhe/server-gmail-autoauth-mcp@1.1.11', env: { GMAIL_OAUTH_PATH: `${folder}/oauth.json` } },
  { spec: '@cocal/google-calendar-mcp@2.6.3', env: { GOOGLE_OAUTH_CREDENTIALS: `${folder}/oauth.json` } },
  { spec: '@modelcontextprotocol/server-google-maps@0.6.2', env: { GOOGLE_MAPS_API_KEY: token } },
  { spec: '@heroku/mcp-server@1.2.8', env: { HEROKU_API_KEY: token } },
  { spec: 'hostinger-api-mcp@1.63.2', env: { API_TOKEN: token, APITOKEN: token } },
  { spec: '@instantdb/mcp@1.0.67', args: ['--token', token] },
  {
    spec: '@aashari/mcp-server-atlassian-jira@3.3.0',
    env: { ATLASSIAN_SITE_NAME: 'stand-in', ATLASSIAN_USER_EMAIL: 'a@example.com', ATLASSIAN_API_TOKEN: token },
  },
  { spec: 'kubernetes-mcp-server@0.0.67' },
  { spec: 'mcp-server-kubernetes@4.1.7' },
  { spec: '@larksuiteoapi/lark-mcp@0.5.1', args: ['mcp', '-a', 'cli_standin', '-s', token] },
  { spec: '@line/line-bot-mcp-server@0.4.2', env: { CHANNEL_ACCESS_TOKEN: token, DESTINATION_USER_ID: 'U0' } },
  {
    spec: '@mastra/mcp-docs-server@0.13.31',
    call: ['mastraDocs', { paths: ['no-such-page'] }],
    lenient: [['mastraDocs', { paths: ['no-such-page'], extra: 1 }]],
  },
  { spec: 'mcp-mermaid@0.4.1' },
  { spec: '@antv/mcp-server-chart@0.9.10' },
  { spec: 'mcp-server-code-runner@0.1.8' },
  { spec: 'firecrawl-mcp@3.22.2', env: { FIRECRAWL_API_KEY: token } },
  { spec: '@modelcontextprotocol/server-memory@2026.8.31', call: ['read_graph', {}] },
  { spec: '@mobilenext/mobile-mcp@1.0.4' },
  { spec: '@mondaydotcomorg/monday-api-mcp@3.3.0', args: ['-t', token] },
  { spec: '@softeria/ms-365-mcp-server@0.155.0' },
  { spec: '@mui/mcp@0.1.5' },
  {
    spec: 'n8n-mcp@2.87.0',
    env: { MCP_MODE: 'stdio', LOG_LEVEL: 'error', DISABLE_CONSOLE_OUTPUT: 'true', N8N_MCP_TELEMETRY_DISABLED: 'true' },
    call: ['search_nodes', { query: 'webhook', limit: 2 }],
    lenient: [['search_nodes', { query: 'webhook', limit: '2' }]],
  },
  { spec: '@netlify/mcp@1.15.1' },
  { spec: 'next-devtools-mcp@0.4.0' },
  { spec: 'notebooklm-mcp@2.0.0', call: ['list_notebooks', {}] },
  { spec: '@notionhq/notion-mcp-server@2.5.2', env: { NOTION_TOKEN: token } },
  { spec: 'nx-mcp@0.25.0', args: [folder] },
  { spec: '@sylphx/pdf-reader-mcp@2.4.0', call: ['read_pdf', { sources: [{ path: `${folder}/no.pdf` }] }] },
  { spec: '@perplexity-ai/mcp-server@1.2.1', env: { PERPLEXITY_API_KEY: token } },
  { spec: '@pinecone-database/mcp@0.3.0', env: { PINECONE_API_KEY: token } },
  {
    spec: '@playwright/mcp@0.0.83',
    args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', chromium],
    call: ['browser_tabs', { action: 'list' }],
    lenient: [
      ['browser_console_messages', {}],
      ['browser_network_requests', {}],
      ['browser_snapshot', { extra: 1 }],
    ],
  },
  { spec: '@modelcontextprotocol/server-postgres@0.6.2', args: ['postgresql://user@127.0.0.1:9/none'] },
  { spec: '@postman/postman-mcp-server@2.13.0', args: ['--full'], env: { POSTMAN_API_KEY: token } },
  { spec: '@modelcontextprotocol/server-puppeteer@2025.5.12' },
  { spec: 'replicate-mcp@0.9.0', env: { REPLICATE_API_TOKEN: token } },
  {
    spec: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
    call: ['sequentialthinking', { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
    lenient: [
      ['sequentialthinking', { thought: 'b', nextThoughtNeeded: false, thoughtNumber: '1', totalThoughts: '1' }],
    ],
  },
  { spec: '@shopify/dev-mcp@1.16.0' },
  { spec: '@shortcut/mcp@0.25.0', env: { SHORTCUT_API_TOKEN: token } },
  {
    spec: '@modelcontextprotocol/server-slack@2025.4.25',
    env: { SLACK_BOT_TOKEN: `xoxb-${token}`, SLACK_TEAM_ID: 'T0' },
  },
  { spec: '@stripe/mcp@0.2.5', args: ['--tools=all', `--api-key=sk_test_${token}`] },
  { spec: 'tavily-mcp@0.2.22', env: { TAVILY_API_KEY: token } },
  { spec: '@doist/todoist-mcp@11.0.0', env: { TODOIST_API_KEY: token } },
];
