/**
 * Predicts the limits of a server with `auto`: it may use the files and hosts that its configuration names. Creates a file
 * that it names in the home folder, because the server cannot.
 */
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute } from 'node:path';
import type { SandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { Host } from '../../host.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import type { Limits } from '../types.ts';
import { isPublicName } from './allowed-hosts.ts';
import { argumentValue, isScript, leadsOut, namedPath } from './needed-paths.ts';
import { isOffered } from './offered-paths.ts';

type Local = Pick<Extract<ResolvedConnection, { type: 'stdio' }>, 'command' | 'args' | 'cwd' | 'env'>;

/** The hosts from which a command downloads packages. Those of `npx` are reached only by `install-package.ts`. */
const packageHosts: Record<string, string[]> = {
  ...Object.fromEntries(['npm', 'bunx', 'bun', 'pnpm', 'yarn'].map((name) => [name, ['registry.npmjs.org']])),
  ...Object.fromEntries(['uvx', 'uv', 'pipx'].map((name) => [name, ['pypi.org', 'files.pythonhosted.org']])),
};

/** The API for which a variable such as `GITHUB_TOKEN` is, by the first word of its name. */
const serviceHosts: Record<string, string[]> = {
  APIFY: ['api.apify.com'],
  AIRTABLE: ['api.airtable.com'],
  ANTHROPIC: ['api.anthropic.com'],
  ASANA: ['app.asana.com'],
  BRAVE: ['api.search.brave.com'],
  CLICKUP: ['api.clickup.com'],
  CLOUDFLARE: ['api.cloudflare.com'],
  CIRCLECI: ['circleci.com', 'api.circleci.com'],
  CONTEXT7: ['context7.com'],
  DIGITALOCEAN: ['api.digitalocean.com'],
  DISCORD: ['discord.com', 'gateway.discord.gg'],
  ELEVENLABS: ['api.elevenlabs.io'],
  EVERART: ['api.everart.ai'],
  EXA: ['api.exa.ai'],
  FIGMA: ['api.figma.com'],
  FIRECRAWL: ['api.firecrawl.dev'],
  GEMINI: ['generativelanguage.googleapis.com'],
  GITHUB: ['api.github.com', 'github.com'],
  GITLAB: ['gitlab.com'],
  GROQ: ['api.groq.com'],
  HEROKU: ['api.heroku.com'],
  HUBSPOT: ['api.hubapi.com'],
  LINEAR: ['api.linear.app'],
  MISTRAL: ['api.mistral.ai'],
  NEON: ['console.neon.tech'],
  NOTION: ['api.notion.com'],
  OPENAI: ['api.openai.com'],
  PERPLEXITY: ['api.perplexity.ai'],
  PINECONE: ['api.pinecone.io'],
  POSTMAN: ['api.getpostman.com'],
  REPLICATE: ['api.replicate.com'],
  RESEND: ['api.resend.com'],
  SENDGRID: ['api.sendgrid.com'],
  SENTRY: ['sentry.io'],
  SLACK: ['slack.com'],
  STRIPE: ['api.stripe.com'],
  SUPABASE: ['api.supabase.com'],
  TAVILY: ['api.tavily.com'],
  TELEGRAM: ['api.telegram.org'],
  TODOIST: ['api.todoist.com'],
  TRELLO: ['api.trello.com'],
  TWILIO: ['api.twilio.com'],
  VAPI: ['api.vapi.ai'],
  VERCEL: ['api.vercel.com'],
};

/** Variables that name programs and libraries, which a server reads but does not change. */
const libraries = /^(?:PATH|PYTHONPATH|NODE_PATH|CLASSPATH|VIRTUAL_ENV|LD_\w+|\w+_HOME)$/;

interface PredictedLimits extends Pick<SandboxLimits, 'files' | 'network'> {
  secretHosts: NonNullable<Limits['secretHosts']>;
}

export function predictedLimits({ command, args, cwd, env }: Local, host: Host): PredictedLimits {
  const variables = Object.entries(env);
  const values = variables.flatMap(([name, value]) => (libraries.test(name) ? [] : value));
  const own = [...args.map(argumentValue), ...values].filter(isPath);
  // If one of these files did not exist, an earlier start let the server change its folder.
  for (const path of own) createInHome(path, host);
  const opened = usable(own.map(dirname).flatMap(existing), host).map((folder) => realpathSync(folder));
  const isOwnPath = (path: string) => !leadsOut(path, opened);
  const read = variables.flatMap(([name, value]) => (libraries.test(name) ? existing(value) : [])).filter(isOwnPath);
  const write = [...args.flatMap((arg) => namedPath(arg, cwd) ?? []), ...own.flatMap(existing)].filter(
    (path) => !isScript(path) && isOwnPath(path),
  );
  const named = [...args, ...Object.values(env)].flatMap(hostIn);
  const hosts = [
    ...(packageHosts[basename(command).replace(/\.(?:exe|cmd)$/i, '')] ?? []),
    ...variables.flatMap(([name]) => hostsOf(name)),
    ...named,
  ];
  return {
    files: { read: usable(read, host), write: usable(write, host) },
    network: { allow: [...new Set(hosts)] },
    secretHosts(name) {
      const found = [...hostsOf(name), ...named];
      return found.length > 0 ? found : undefined;
    },
  };
}

const hostsOf = (variable: string) => serviceHosts[variable.split('_')[0]?.toUpperCase() ?? ''] ?? [];

const isPath = (value: string) => isAbsolute(value) && value.length <= 4_096 && !value.includes('\0');

/** An absolute path. A file that does not exist yet needs its folder. */
function existing(value: string): string[] {
  if (!isPath(value)) return [];
  if (existsSync(value)) return [value];
  const folder = dirname(value);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? [folder] : [];
}

/** The server would create it in a home folder that is empty again at the next start. A path without an extension may be a folder. */
function createInHome(path: string, { homeDir }: Host): void {
  const isFile = extname(path) !== '' && !basename(path).startsWith('.');
  if (!isFile || dirname(path) !== homeDir || existsSync(path)) return;
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch {
    // The server will say that it cannot write there.
  }
}

/** Leaves out what only the user can allow. */
function usable(paths: readonly string[], host: Host): string[] {
  return [...new Set(paths)].filter((path) => {
    const real = realpathSync(path);
    return isOffered(real, host) && !statSync(real).isSocket();
  });
}

/** The host of an address such as `https://git.example.com/api`, with its port if that is not the usual one. */
function hostIn(text: string): string[] {
  const [address] = /\b(?:https?|wss?):\/\/[^\s"'<>]+/.exec(text.slice(0, 4_096)) ?? [];
  const url = address === undefined ? null : URL.parse(address);
  return url && isPublicName(url.hostname) ? [url.host] : [];
}
