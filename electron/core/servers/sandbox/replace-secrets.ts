/** Puts secrets into requests in the place of stand-ins, and stand-ins into responses in the place of secrets. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import type { StandIn } from './stand-ins.ts';

/** The body is left out: it could place the secret where others read it. */
export interface HeadOfRequest {
  headers: IncomingHttpHeaders;
  /** The path with the query. */
  url: string;
}

/** Replacements in responses, in pairs of equal length. */
export type Echoes = [real: string, fake: string][];

type Change = (text: string) => string;

const encodings: Change[] = [(text) => text, encodeURIComponent];

/** Also in Basic credentials. */
function filled(text: string, { real, fake }: StandIn, onBasic: (real: string, fake: string) => void): string {
  const fill: Change = (given) =>
    encodings.reduce((all, encoded) => all.replaceAll(encoded(fake), encoded(real)), given);
  const [, scheme, credentials] = /^(basic\s+)([a-z\d+/_-]+=*)$/i.exec(text) ?? [];
  if (scheme === undefined || credentials === undefined) return fill(text);
  const plain = Buffer.from(credentials, 'base64').toString('latin1');
  const inside = fill(plain);
  if (inside === plain) return text;
  const [withReal, withFake] = [inside, plain].map((one) => Buffer.from(one, 'latin1').toString('base64'));
  onBasic(withReal ?? '', withFake ?? '');
  return scheme + withReal;
}

/** The places in which a request has the stand-in: `header:NAME`, `query:NAME`, or `path:` and the path before it. */
export function placesOf(request: HeadOfRequest, one: StandIn): string[] {
  const places = new Set<string>();
  fillPlace(request, one, (place) => {
    places.add(place);
    return false;
  });
  return [...places];
}

/** Puts the secret into those places only. `echoes` gets what else could come back. */
export function fillPlace(
  { headers, url }: HeadOfRequest,
  one: StandIn,
  isChosen: (place: string) => boolean,
  echoes: Echoes = [],
): HeadOfRequest {
  const change = (text: string, place: string): string => {
    const found: Echoes = [];
    const changed = filled(text, one, (real, fake) => found.push([real, fake]));
    if (changed === text || !isChosen(place)) return text;
    echoes.push(...found);
    return changed;
  };
  const [path = '', ...queries] = url.split('?');
  const query = queries.join('?').replace(/([^&=]*)=([^&]*)/g, (_, name: string, value: string) => {
    return `${name}=${change(value, `query:${name}`)}`;
  });
  const at = Math.min(...encodings.map((encoded) => path.indexOf(encoded(one.fake))).filter((index) => index >= 0));
  const start = Number.isFinite(at) ? path.slice(0, at) : path;
  const end = change(path.slice(start.length), `path:${start}`);
  return {
    headers: mapHeaders(headers, (text, name) => change(text, `header:${name}`)),
    url: start + end + (queries.length > 0 ? `?${query}` : ''),
  };
}

/** The forms of the secrets that a response could contain. */
export const echoesOf = (standIns: readonly StandIn[]): Echoes =>
  standIns.flatMap(({ real, fake }) => encodings.map((encoded): Echoes[number] => [encoded(real), encoded(fake)]));

export function mapHeaders<T extends IncomingHttpHeaders | OutgoingHttpHeaders>(
  headers: T,
  change: (text: string, name: string) => string,
): T {
  const mapped = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? value.map((text) => change(text, name))
      : typeof value === 'string'
        ? change(value, name)
        : value,
  ]);
  return Object.fromEntries(mapped);
}

export const withoutSecrets = (text: string, echoes: Echoes): string =>
  echoes.reduce((all, [real, fake]) => all.replaceAll(real, fake), text);

/**
 * Replaces secrets in a body. The part that it holds back depends only on lengths and on the ends of lines, never on the content of a
 * secret: a server that makes a host stream its guesses would otherwise see which ones are the start of a secret.
 */
export function bodyWithoutSecrets(echoes: Echoes): Transform {
  const longest = Math.max(1, ...echoes.map(([real]) => real.length));
  let kept = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = withoutSecrets(kept + chunk.toString('latin1'), echoes);
      // No secret in a header or an address contains the end of a line, with which events and messages end.
      const passed = Math.max(text.length - longest + 1, text.lastIndexOf('\n') + 1);
      kept = text.slice(passed);
      done(null, Buffer.from(text.slice(0, passed), 'latin1'));
    },
    flush: (done) => done(null, Buffer.from(kept, 'latin1')),
  });
}
