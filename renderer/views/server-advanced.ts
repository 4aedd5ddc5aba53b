/** What few servers need: several instances behind one name, and an OAuth client that was registered by hand. */
import type * as z from 'zod';
import { issueWords, repeatedAddresses, repeatedAddressWords } from '../../shared/issue-words.ts';
import type { Connection } from '../../shared/model.ts';

/** As a person types it. */
export interface Advanced {
  instances: string;
  /** One address per line. */
  replicas: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  redirectUrl: string;
}

export const noAdvanced: Readonly<Advanced> = {
  ...{ instances: '', replicas: '', clientId: '', clientSecret: '', scopes: '', redirectUrl: '' },
};

export const advancedFields = Object.keys(noAdvanced) as (keyof Advanced)[];

export const addressWords = 'An address begins with https:// or http://, for example https://mcp.example.com/mcp.';
export const isAddress = (text: string) => /^https?:\/\/[^\s/]+/i.test(text) || text.startsWith('${');

/** The parts of a connection that were filled in, unchecked. */
export function advancedOf({ type }: Connection, entered: Advanced): Record<string, unknown> {
  if (type === 'stdio') {
    const instances = entered.instances.trim();
    return instances === '' ? {} : { instances: Number.isNaN(Number(instances)) ? instances : Number(instances) };
  }
  const replicas = listOf(entered.replicas, /\n/);
  const scopes = listOf(entered.scopes, /[\s,]+/);
  const [clientId, clientSecret, redirectUrl] = [entered.clientId, entered.clientSecret, entered.redirectUrl].map(
    (text) => text.trim(),
  );
  const oauth = {
    ...(clientSecret && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
    ...(redirectUrl && { redirectUrl }),
  };
  return {
    ...(replicas.length > 0 && { replicas }),
    ...((clientId || Object.keys(oauth).length > 0) && { oauth: { clientId, ...oauth } }),
  };
}

/** What Core would say of these parts, by the field that it belongs beside. */
export function problemsOf(
  connection: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): Partial<Record<keyof Advanced | 'name', string>> {
  const problems: Partial<Record<keyof Advanced | 'name', string>> = {};
  for (const issue of issues) {
    const field = [...advancedFields, 'name' as const].find((name) => issue.path.includes(name));
    // The secret itself is never repeated.
    const shown = field === 'clientSecret' ? `a ${typeof issue.input}` : JSON.stringify(issue.input);
    if (field) problems[field] ??= sentence(issueWords(issue, shown));
  }
  const { url, replicas } = connection;
  if (typeof url !== 'string' || !Array.isArray(replicas)) return problems;
  const odd = replicas.find((address) => !isAddress(address));
  const [again] = repeatedAddresses(url, replicas);
  if (odd !== undefined) problems.replicas = `“${odd}”: ${addressWords}`;
  else if (again !== undefined) problems.replicas = `${replicas[again]} ${repeatedAddressWords}.`;
  return problems;
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const listOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean);
