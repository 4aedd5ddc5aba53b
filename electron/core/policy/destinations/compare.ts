/** Finds what helps the user to judge a new destination: the known value that it resembles, and where it came from. */
import publicMailDomains from 'email-providers/all.json' with { type: 'json' };
import { getDomain } from 'tldts';
import { editsBetween, skeletonOf } from '../../../../shared/look-alike.ts';
import type { Destination, DestinationCover, NewDestination } from '../../../../shared/model/question.ts';
import { createSlices } from '../../async/slices.ts';
import { domainOf, siteKind } from '../known-destinations.ts';
import { siteOfPage } from './addresses.ts';

/** Finds the first kept result that contains the text. */
export type FindInResults = (text: string, signal: AbortSignal) => Promise<NewDestination['seen']>;

const maxSearchMs = 50;
/** More values than a user would read about. */
const maxCompared = 20;

/** Adds to each new destination what helps the user to judge it. Takes at most 50 ms. */
export async function judged(
  found: readonly Destination[],
  known: readonly Destination[],
  findInResults: FindInResults,
): Promise<NewDestination[]> {
  const signal = AbortSignal.timeout(maxSearchMs);
  const pause = createSlices();
  const all: NewDestination[] = [];
  for (const destination of found) {
    const isCompared = all.length < maxCompared;
    const resembles = isCompared && known.find((other) => resemble(destination, other))?.value;
    await pause();
    const seen = isCompared && !signal.aborted ? await findInResults(destination.value, signal) : undefined;
    all.push({ ...destination, ...(resembles && { resembles }), ...(seen && { seen }) });
  }
  return all;
}

const publicMail = new Set(publicMailDomains);

/** Whether only one organization gives out addresses in the domain and domains below it. */
function isOwn(domain: string): boolean {
  const registered = getDomain(domain, { allowPrivateDomains: true });
  return registered !== null && !publicMail.has(domain) && !publicMail.has(registered);
}

/** The domains of mail addresses, except of services where anyone can get an address or a subdomain. */
export const ownDomainsOf = (all: readonly Destination[]): string[] => [
  ...new Set(all.map(domainOf).filter((domain) => domain !== undefined && isOwn(domain)) as string[]),
];

const minResembling = 6;

/** In short names, two changes make another name. */
const resemble = (one: Destination, other: Destination) =>
  one.kind === other.kind &&
  one.value !== other.value &&
  one.value.length >= minResembling &&
  editsBetween(skeletonOf(one.value), skeletonOf(other.value), 2) <= 2;

/** The sites of the web addresses that name a page. */
export const sitesOf = (all: readonly Destination[]): string[] => [
  ...new Set(all.flatMap(({ kind, value }) => (kind === 'web' ? (siteOfPage(value) ?? []) : []))),
];

/**
 * The destinations that a lasting answer allows: those of the call, for `domain`, everyone in their mail domains, and for `site`,
 * every page of their sites.
 */
export function remembered(all: readonly Destination[], cover: DestinationCover): Destination[] {
  if (cover === 'site')
    return all.map((one) => {
      const site = one.kind === 'web' ? siteOfPage(one.value) : undefined;
      return site === undefined ? one : { ...one, kind: siteKind, value: site };
    });
  if (cover !== 'domain') return [...all];
  const domains = ownDomainsOf(all);
  return [
    ...all.filter((destination) => !domains.includes(domainOf(destination) ?? '')),
    ...domains.map((value) => ({ kind: 'domain', value })),
  ];
}
