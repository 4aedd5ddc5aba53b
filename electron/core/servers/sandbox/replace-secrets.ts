/** Puts secrets into requests in the place of stand-ins, and stand-ins into responses in the place of secrets. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import type { StandIn } from './stand-ins.ts';

/** A request with secrets in its headers and its address. */
interface FilledRequest {
  headers: IncomingHttpHeaders;
  url: string;
  /** The stand-ins that it had. */
  used: StandIn[];
  /** Replacements in its response, in pairs of equal length. */
  echoes: [real: string, fake: string][];
}

/** The body is left out: it could place the secret where others read it. */
export function fillRequest(headers: IncomingHttpHeaders, url: string, standIns: readonly StandIn[]): FilledRequest {
  const used = new Set<StandIn>();
  const echoes = new Map<string, string>();
  const fill = (text: string): string => {
    let filled = text;
    for (const one of standIns)
      for (const encoded of [(value: string) => value, encodeURIComponent]) {
        const [fake, real] = [encoded(one.fake), encoded(one.real)];
        if (!filled.includes(fake)) continue;
        filled = filled.replaceAll(fake, real);
        used.add(one);
      }
    return filled;
  };
  const fillHeader = (text: string): string => {
    const [, scheme, credentials] = /^(basic\s+)([a-z\d+/_-]+=*)$/i.exec(text) ?? [];
    if (scheme === undefined || credentials === undefined) return fill(text);
    const plain = Buffer.from(credentials, 'base64').toString('latin1');
    const filled = fill(plain);
    if (filled === plain) return text;
    const encoded = Buffer.from(filled, 'latin1').toString('base64');
    echoes.set(encoded, Buffer.from(plain, 'latin1').toString('base64'));
    return scheme + encoded;
  };
  const filledHeaders = mapHeaders(headers, fillHeader);
  const filledUrl = fill(url);
  for (const { real, fake } of standIns) echoes.set(real, fake).set(encodeURIComponent(real), encodeURIComponent(fake));
  return { headers: filledHeaders, url: filledUrl, used: [...used], echoes: [...echoes] };
}

export function mapHeaders<T extends IncomingHttpHeaders | OutgoingHttpHeaders>(
  headers: T,
  change: (text: string) => string,
): T {
  const mapped = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(change) : typeof value === 'string' ? change(value) : value,
  ]);
  return Object.fromEntries(mapped);
}

export const withoutSecrets = (text: string, echoes: FilledRequest['echoes']): string =>
  echoes.reduce((all, [real, fake]) => all.replaceAll(real, fake), text);

/** Replaces secrets in a body. Passes all bytes on at once, except those that may be the start of a secret. */
export function bodyWithoutSecrets(echoes: FilledRequest['echoes']): Transform {
  let kept = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = withoutSecrets(kept + chunk.toString('latin1'), echoes);
      const length = Math.max(...echoes.map(([real]) => startLength(text, real)));
      kept = text.slice(text.length - length);
      done(null, Buffer.from(text.slice(0, text.length - length), 'latin1'));
    },
    flush: (done) => done(null, Buffer.from(kept, 'latin1')),
  });
}

/** The length of the longest start of `value` with which `text` ends. */
function startLength(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}
