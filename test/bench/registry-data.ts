/** A registry of 12,000 entries with forty servers that users look for, their requests in plain words, and imitators of each. */
import { generateItems, npmPackage, type RegistryItem, registryItem } from '../fixtures/registry.ts';

/** The name and description of an entry, and a request for it. */
const wanted: [name: string, description: string, request: string][] = [
  [
    'io.github.github/github-mcp-server',
    'Connect AI assistants to GitHub: manage repositories, issues, pull requests, and workflows.',
    'look at my pull requests on github',
  ],
  [
    'com.stripe/mcp',
    'Interact with the Stripe API: customers, products, invoices and payments.',
    'create a payment link in stripe',
  ],
  ['app.linear/linear', 'Find, create, and update Linear issues, projects, and comments.', 'linear tickets'],
  ['com.notion/mcp', 'Search and edit the pages and databases of a Notion workspace.', 'write to my notion pages'],
  [
    'io.github.microsoft/playwright-mcp',
    'Browser automation through accessibility snapshots, without screenshots.',
    'control a web browser',
  ],
  [
    'io.github.modelcontextprotocol/server-filesystem',
    'Read, write and search files in the directories that you allow.',
    'read files on my disk',
  ],
  [
    'io.github.upstash/context7',
    'Up-to-date code documentation for LLMs and AI code editors.',
    'current documentation of a library',
  ],
  ['com.atlassian/mcp', 'Jira issues and Confluence pages of your Atlassian cloud.', 'jira and confluence'],
  [
    'com.slack/mcp',
    'Read channels, search messages and post to a Slack workspace.',
    'send a message to a slack channel',
  ],
  [
    'io.github.crystaldba/postgres-mcp',
    'Postgres: run queries, inspect schemas, tune indexes and explain plans.',
    'query a postgres database',
  ],
  ['com.figma/mcp', 'Design context from Figma files: frames, components and variables.', 'figma design to code'],
  [
    'io.sentry/sentry-mcp',
    'Retrieve and analyze issues, errors and stack traces from Sentry.',
    'why does my app crash, sentry errors',
  ],
  ['com.supabase/mcp', 'Manage Supabase projects: tables, migrations, edge functions and branches.', 'supabase tables'],
  [
    'com.cloudflare.mcp/mcp',
    'Cloudflare Workers, DNS zones and observability of an account.',
    'deploy a cloudflare worker',
  ],
  [
    'io.github.makenotion/weather',
    'Forecasts and alerts of the National Weather Service for any place in the US.',
    'weather forecast and storm alerts for a place',
  ],
  [
    'io.github.google/maps-platform',
    'Geocoding, directions, distances and places on Google Maps.',
    'directions between two addresses',
  ],
  ['com.zapier/mcp', 'Connect to 8,000 apps and 30,000 actions of Zapier.', 'zapier actions'],
  ['io.github.mongodb/mongodb-mcp-server', 'Query MongoDB collections and manage Atlas clusters.', 'mongo collections'],
  ['com.hubspot/mcp', 'Contacts, companies, deals and tickets of the HubSpot CRM.', 'customers in my CRM'],
  [
    'io.github.elastic/elasticsearch',
    'Search indices, mappings and shards of an Elasticsearch cluster.',
    'search logs in elasticsearch',
  ],
  ['io.github.redis/redis-mcp', 'Keys, hashes, streams and vectors of a Redis database.', 'look up redis keys'],
  ['com.paypal/mcp', 'Invoices, orders, disputes and transactions of PayPal.', 'refund a paypal transaction'],
  [
    'io.github.grafana/mcp-grafana',
    'Dashboards, alerts, Prometheus and Loki data of Grafana.',
    'show grafana dashboards',
  ],
  [
    'io.github.kubernetes/kubectl',
    'Pods, deployments and logs of a Kubernetes cluster with kubectl and Helm.',
    'restart pods in kubernetes',
  ],
  ['com.vercel/vercel-mcp', 'Projects, deployments and build logs of Vercel.', 'vercel deployment failed'],
  [
    'io.github.awslabs/aws-api',
    'Call any AWS API with validated commands and IAM permissions.',
    'list my aws s3 buckets',
  ],
  ['io.github.docker/hub', 'Search images, tags and repositories on Docker Hub.', 'find docker images'],
  ['io.github.exa-labs/exa-mcp-server', 'Web search and crawling for agents with Exa.', 'search the web'],
  ['io.github.spotify/player', 'Play, pause and queue songs, and manage playlists on Spotify.', 'play a song'],
  ['io.github.gongrzhe/gmail', 'Search, read, send and label mail of a Gmail account.', 'reply to an email in gmail'],
  [
    'io.github.nspady/google-calendar',
    'Events, free times and invitations of Google Calendar.',
    'book a meeting in my calendar',
  ],
  ['io.github.blender/blender', 'Model, light and render three-dimensional scenes in Blender.', '3d modeling'],
  ['io.github.ahujasid/ableton', 'Compose tracks, clips and instruments in Ableton Live.', 'make music in ableton'],
  ['io.github.obsidian/vault', 'Notes, links and tags of an Obsidian vault in Markdown.', 'my obsidian notes'],
  [
    'io.github.homeassistant/core',
    'Lights, heating, sensors and automations of Home Assistant.',
    'switch the lights at home',
  ],
  ['io.github.arxiv/papers', 'Find and download scientific papers on arXiv.', 'research papers'],
  [
    'io.github.deepl/translate',
    'Translate and rephrase texts and documents with DeepL.',
    'translate a document to German',
  ],
  [
    'io.github.youtube/transcripts',
    'Transcripts, captions and chapters of YouTube videos.',
    'summarize a youtube video',
  ],
  ['io.github.wolfram/alpha', 'Exact calculation, units and plots with Wolfram Alpha.', 'solve an equation'],
  ['io.github.ffmpeg/convert', 'Convert, cut and compress video and audio files with FFmpeg.', 'convert a video file'],
];

/** A user's request in plain words, and the name of the entry that it is about. */
export interface Request {
  query: string;
  name: string;
}

const short = (name: string) => name.split('/')[1] ?? '';

/** `io.github.dev7/stripe-mcp`: entries that other publishers offer for the same service. */
function imitators([name, description]: (typeof wanted)[number], index: number): RegistryItem[] {
  const thing = short(name).replace(/-?mcp-?(?:server)?/g, '') || (name.split(/[./]/).at(-2) ?? name);
  return ['mcp', 'tools', 'agent'].map((suffix, at) =>
    registryItem(`io.github.dev${index * 3 + at}/${thing}-${suffix}`, {
      description: `Unofficial: ${description.split(/[:,.]/)[0]}, for ${suffix === 'mcp' ? 'Claude' : suffix}.`,
      packages: [npmPackage(`${thing}-${suffix}`, '1.0.0')],
    }),
  );
}

export function registryItems(count: number): { items: RegistryItem[]; requests: Request[] } {
  const own = wanted.map(([name, description]) =>
    registryItem(name, { description, packages: [npmPackage(short(name), '1.0.0')] }),
  );
  const known = [...own, ...wanted.flatMap(imitators)];
  return {
    items: [...generateItems(count - known.length), ...known],
    requests: wanted.map(([name, , query]) => ({ name, query })),
  };
}
