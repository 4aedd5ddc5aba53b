/** Recognizes ASCII names that resemble a site where users sign in: `g00gle`, `rnicrosoft`, `gihtub`. */

/** Sites whose sign-in pages are worth imitating. Names are compared only with these. */
const knownSites =
  `adobe airbnb amazon americanexpress anthropic apple asana atlassian auth0 azure bankofamerica binance
  bitbucket box capitalone chase chatgpt citibank claude cloudflare coinbase discord docker dropbox ebay facebook fidelity
  figma github gitlab gmail google hetzner hubspot huggingface icloud instagram intuit kraken linear linkedin mailchimp
  mastercard metamask microsoft mongodb netflix netlify notion npmjs okta openai oracle outlook paypal pinterest postman
  pypi reddit revolut salesforce sentry shopify signal slack snowflake spotify steam steampowered stripe supabase telegram
  trello twilio twitter vercel whatsapp wikipedia wise yahoo youtube zendesk zoom`.split(/\s+/);
const known = new Map(knownSites.map((name) => [alike(name), name]));

/** The known site that the label resembles; undefined if the label is the site itself. */
export function resembledSite(label: string): string | undefined {
  if (knownSites.includes(label)) return undefined;
  const plain = alike(label);
  return known.get(plain) ?? knownSites.find((name) => name.length >= 6 && isOneSlipFrom(name, plain));
}

/** Replaces characters and pairs that look alike in an address bar with the same character. */
function alike(name: string): string {
  const digits: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' };
  return name
    .replace(/[0-9]/g, (digit) => digits[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('-', '');
}

/** True if one character is replaced, missing, added, or swapped with the next one. */
function isOneSlipFrom(name: string, other: string): boolean {
  if (name === other || Math.abs(name.length - other.length) > 1) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at += 1;
  const [a, b] = [name.slice(at), other.slice(at)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
