/** What a person should know about an address before opening it. */

export interface UrlInspection {
  /** The address cut around its host; absent when it is not an address. */
  parts: { before: string; host: string; after: string } | undefined;
  warnings: string[];
  canOpen: boolean;
}

export function inspectUrl(text: string): UrlInspection {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { parts: undefined, warnings: ['This is not a web address, so it cannot be opened.'], canOpen: false };
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const credentials = url.username || url.password ? `${url.username}${url.password ? ':…' : ''}@` : '';
  const labels = url.hostname.split('.');
  const warnings = [
    !isWeb && `Only http and https addresses are opened; this one is ${url.protocol}`,
    url.protocol === 'http:' && !isLocal && 'The connection is not encrypted: others on the network could read along.',
    isLocal && 'It leads to a program on this machine.',
    credentials && 'The text before the @ is not the site. The site is the part set in bold.',
    labels.some((label) => label.startsWith('xn--')) &&
      'The name has letters from another alphabet and may imitate a site that you know.',
    !isLocal && /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(url.hostname) && 'It leads to a bare number instead of a name.',
    labels.length > 4 && `The site is really ${labels.slice(-2).join('.')}; what stands before that says little.`,
    url.port && !isLocal && `It uses the unusual port ${url.port}.`,
  ].filter((warning) => typeof warning === 'string' && warning !== '') as string[];
  return {
    parts: {
      before: `${url.protocol}//${credentials}`,
      host: url.host,
      after: `${url.pathname}${url.search}${url.hash}`,
    },
    warnings,
    canOpen: isWeb,
  };
}
