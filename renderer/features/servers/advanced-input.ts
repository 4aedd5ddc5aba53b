/** Advanced input for a server: instances, replicas, and a pre-registered OAuth client. */
import type * as z from 'zod';
import { describeIssue, repeatedUrls } from '../../../shared/describe-issue.ts';
import type { Connection } from '../../../shared/model/server.ts';
import { partsOf } from '../../components/words.ts';
import { t } from '../../text.tsx';

/** The raw input. */
export interface AdvancedInput {
  instances: string;
  /** One URL per line. */
  replicas: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  redirectUrl: string;
}

export const noAdvancedInput: Readonly<AdvancedInput> = {
  instances: '',
  replicas: '',
  clientId: '',
  clientSecret: '',
  scopes: '',
  redirectUrl: '',
};

export const advancedFields = Object.keys(noAdvancedInput) as (keyof AdvancedInput)[];

export const urlHint = t('A URL starts with https:// or http://, for example https://mcp.example.com/mcp.');
export const isUrl = (text: string) => /^https?:\/\/[^\s/]+/i.test(text) || text.startsWith('${');

/** The advanced options that the user filled in, not yet validated. */
export function advancedOptions({ type }: Connection, input: AdvancedInput): Record<string, unknown> {
  if (type === 'stdio') {
    const instances = input.instances.trim();
    if (instances === '') return { instances: undefined };
    return { instances: Number.isNaN(Number(instances)) ? instances : Number(instances) };
  }
  const replicas = partsOf(input.replicas, /\n/);
  const scopes = partsOf(input.scopes, /[\s,]+/);
  const [clientId, clientSecret, redirectUrl] = [input.clientId, input.clientSecret, input.redirectUrl].map((text) =>
    text.trim(),
  );
  const hasOAuth = clientId || clientSecret || redirectUrl || scopes.length > 0;
  const oauth = {
    clientId,
    clientSecret: clientSecret || undefined,
    scopes: scopes.length > 0 ? scopes : undefined,
    redirectUrl: redirectUrl || undefined,
  };
  return { replicas: replicas.length > 0 ? replicas : undefined, oauth: hasOAuth ? oauth : undefined };
}

/** Validation messages by field, worded like Core's. */
export function problemsByField(
  connection: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): Partial<Record<keyof AdvancedInput | 'name', string>> {
  const problems: Partial<Record<keyof AdvancedInput | 'name', string>> = {};
  for (const issue of issues) {
    const field = [...advancedFields, 'name' as const].find((name) => issue.path.includes(name));
    // Do not repeat the secret in the message.
    // untranslated: describeIssue translates it
    const shown = field === 'clientSecret' ? `a ${typeof issue.input}` : JSON.stringify(issue.input);
    if (field) problems[field] ??= sentence(describeIssue(issue, shown, t));
  }
  const { url, replicas } = connection;
  if (typeof url !== 'string' || !Array.isArray(replicas)) return problems;
  const invalid = replicas.find((address) => !isUrl(address));
  const [repeated] = repeatedUrls(url, replicas);
  if (invalid !== undefined) problems.replicas = t('“{url}”: {hint}', { url: invalid, hint: urlHint });
  else if (repeated !== undefined)
    problems.replicas = t('{url} is already a URL of this server.', { url: replicas[repeated] ?? '' });
  return problems;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
