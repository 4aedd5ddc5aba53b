/** Predicts the limits of a server with `sandbox: auto`: it may use the files and hosts that its configuration names. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import type { SandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { Host } from '../../host.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { isScript, isWithin, namedPath, systemFolders } from './needed-paths.ts';
import { isPublicName } from './network-proxy.ts';

type Local = Pick<Extract<ResolvedConnection, { type: 'stdio' }>, 'command' | 'args' | 'cwd' | 'env'>;

/** The hosts from which a command downloads packages. */
const packageHosts: Record<string, string[]> = {
  ...Object.fromEntries(['npx', 'npm', 'bunx', 'bun', 'pnpm', 'yarn'].map((name) => [name, ['registry.npmjs.org']])),
  ...Object.fromEntries(['uvx', 'uv', 'pipx'].map((name) => [name, ['pypi.org', 'files.pythonhosted.org']])),
};

/** The API for which a variable such as `GITHUB_TOKEN` is, by the first word of its name. */
const serviceHosts: Record<string, string[]> = {
  AIRTABLE: ['api.airtable.com'],
  ANTHROPIC: ['api.anthropic.com'],
  ASANA: ['app.asana.com'],
  BRAVE: ['api.search.brave.com'],
  CLICKUP: ['api.clickup.com'],
  CLOUDFLARE: ['api.cloudflare.com'],
  DISCORD: ['discord.com', 'gateway.discord.gg'],
  ELEVENLABS: ['api.elevenlabs.io'],
  EXA: ['api.exa.ai'],
  FIGMA: ['api.figma.com'],
  FIRECRAWL: ['api.firecrawl.dev'],
  GEMINI: ['generativelanguage.googleapis.com'],
  GITHUB: ['api.github.com', 'github.com'],
  GITLAB: ['gitlab.com'],
  GROQ: ['api.groq.com'],
  HUBSPOT: ['api.hubapi.com'],
  LINEAR: ['api.linear.app'],
  MISTRAL: ['api.mistral.ai'],
  NOTION: ['api.notion.com'],
  OPENAI: ['api.openai.com'],
  PERPLEXITY: ['api.perplexity.ai'],
  RESEND: ['api.resend.com'],
  SENDGRID: ['api.sendgrid.com'],
  SENTRY: ['sentry.io'],
  SLACK: ['slack.com'],
  STRIPE: ['api.stripe.com'],
  SUPABASE: ['api.supabase.com'],
  TAVILY: ['api.tavily.com'],
  TELEGRAM: ['api.telegram.org'],
  TODOIST: ['api.todoist.com'],
  TWILIO: ['api.twilio.com'],
  VERCEL: ['api.vercel.com'],
};

/** Variables that name programs and libraries, which a server reads but does not change. */
const libraries = /^(?:PATH|PYTHONPATH|NODE_PATH|CLASSPATH|VIRTUAL_ENV|LD_\w+|\w+_HOME)$/;

export function predictedLimits({ command, args, cwd, env }: Local, host: Host): SandboxLimits {
  const variables = Object.entries(env);
  const read = variables.flatMap(([name, value]) => (libraries.test(name) ? existing(value) : []));
  const write = [
    ...args.flatMap((arg) => namedPath(arg, cwd) ?? []),
    ...variables.flatMap(([name, value]) => (libraries.test(name) ? [] : existing(value))),
  ].filter((path) => !isScript(path));
  const hosts = [
    ...(packageHosts[basename(command).replace(/\.(?:exe|cmd)$/i, '')] ?? []),
    ...variables.flatMap(([name]) => serviceHosts[name.split('_')[0]?.toUpperCase() ?? ''] ?? []),
    ...[...args, ...Object.values(env)].flatMap(hostIn),
  ];
  return {
    files: { read: usable(read, host), write: usable(write, host) },
    network: { allow: [...new Set(hosts)] },
  };
}

/** The path that a variable contains. A file that does not exist yet needs its folder. */
function existing(value: string): string[] {
  if (!isAbsolute(value) || value.length > 4_096 || value.includes('\0')) return [];
  if (existsSync(value)) return [value];
  const folder = dirname(value);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? [folder] : [];
}

/**
 * Leaves out what only the user can allow: wide folders, system folders, Toolkeep's own files, and hidden files in the home
 * folder, where programs keep keys and settings.
 */
function usable(paths: readonly string[], { homeDir, dataDir }: Host): string[] {
  const [home, data] = [realpathSync(homeDir), realpathSync(dataDir)];
  return [...new Set(paths)].filter((path) => {
    const real = realpathSync(path);
    if (isWithin(real, home) || isWithin(real, data) || isWithin(data, real)) return false;
    if (!isWithin(home, real)) return !systemFolders.some((folder) => isWithin(folder, real));
    return !relative(home, real)
      .split(sep)
      .some((part) => part.startsWith('.'));
  });
}

/** The host of an address such as `https://git.example.com/api`, with its port if that is not the usual one. */
function hostIn(text: string): string[] {
  const [address] = /\b(?:https?|wss?):\/\/[^\s"'<>]+/.exec(text.slice(0, 4_096)) ?? [];
  const url = address === undefined ? null : URL.parse(address);
  return url && isPublicName(url.hostname) ? [url.host] : [];
}
