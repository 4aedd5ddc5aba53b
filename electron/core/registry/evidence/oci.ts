/** Evidence for images: the label `io.modelcontextprotocol.server.name` names the entry; the digest is the manifest's hash. */
import { createHash } from 'node:crypto';
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { readBody } from '../../async/read-body.ts';
import type { Package, RegistryEntry } from '../entry.ts';
import { isPrivate } from '../hosts.ts';
import { imageOf, splitImage } from '../launch.ts';
import { denied, type Evidence, ownershipOf, unanswered, unchecked } from '../ownership.ts';

type Allows = (address: URL) => boolean;

interface Image {
  host: string;
  /** Without the host. */
  name: string;
  /** The tag or the digest. */
  reference: string;
}

const label = 'io.modelcontextprotocol.server.name';
/** The limit for each manifest and settings file, which Core parses in one piece. They usually have a few kilobytes. */
const maxBytes = 256 * 1024;
const timeoutMs = 15_000;
const manifests = [
  ...['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'],
  ...['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json'],
];

/** Thrown if an image is not the one that the entry names. */
class WrongImage extends Error {}

/** Contacts no hosts of the user's own network, because a publisher could name any, unless `mayBePrivate`. */
export async function ociEvidence(entry: RegistryEntry, pkg: Package, mayBePrivate: boolean): Promise<Evidence> {
  const image = parseImage(imageOf(pkg));
  const isAllowed = ({ hostname }: URL) => mayBePrivate || !isPrivate(hostname);
  try {
    if (!isAllowed(addressOf(image)))
      return unchecked(`${image.host} is on this computer or in your own network, so Toolkeep did not contact it.`);
    const { digest, names } = await inspect(image, isAllowed);
    return { ownership: ownershipOf(entry.name, image.name, names), integrity: digest, warnings: [] };
  } catch (error) {
    return error instanceof WrongImage ? denied(error.message) : unanswered(error, image.host, 'image');
  }
}

/** `acme/notes:1` is `docker.io/acme/notes:1`, and `notes:1` is `docker.io/library/notes:1`. */
function parseImage(text: string): Image {
  const { host = 'docker.io', path } = splitImage(text);
  const [, name = '', tag = 'latest', digest] = /^(.*?)(?::([^/@:]+))?(?:@(sha256:[a-f0-9]+))?$/.exec(path) ?? [];
  return {
    host,
    name: host === 'docker.io' && !name.includes('/') ? `library/${name}` : name,
    reference: digest ?? tag,
  };
}

/** The digest of the image, and the entries that it names. */
async function inspect(image: Image, isAllowed: Allows): Promise<{ digest: string; names: string[] }> {
  const read = openRegistry(image, isAllowed);
  const top = await read('manifests', image.reference);
  // An index lists one image per platform. All of them come from the same publisher, so one is enough.
  const [platform] = objectsIn(top.json.manifests).filter(({ digest }) => typeof digest === 'string');
  const manifest = platform ? await read('manifests', String(platform.digest)) : top;
  const config = isObject(manifest.json.config) ? manifest.json.config : {};
  const blob = typeof config.digest === 'string' ? (await read('blobs', config.digest)).json : {};
  const labels = isObject(blob.config) && isObject(blob.config.Labels) ? blob.config.Labels : {};
  const found = [labels, top.json.annotations, manifest.json.annotations].flatMap((place) =>
    isObject(place) && typeof place[label] === 'string' ? place[label] : [],
  );
  return { digest: top.digest, names: [...new Set(found)] };
}

/** Docker also uses HTTP for a registry on this computer. */
const isLocal = (host: string) => /^(?:localhost|127\.\d+\.\d+\.\d+)(?::\d+)?$/.test(host);

function addressOf({ host, name }: Image): URL {
  const server = host === 'docker.io' ? 'registry-1.docker.io' : host;
  return new URL(`${isLocal(host) ? 'http' : 'https'}://${server}/v2/${name}/`);
}

function openRegistry(image: Image, isAllowed: Allows) {
  const { host, name } = image;
  const signal = AbortSignal.timeout(timeoutMs);
  const base = addressOf(image);
  let token: string | undefined;

  async function get(address: URL): Promise<Response> {
    const headers = { accept: manifests.join(', '), ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(address, { signal, redirect: 'manual', headers });
    if (response.status !== 401 || token) return response;
    token = await anonymousToken(response.headers.get('www-authenticate') ?? '', address, isAllowed, signal);
    return get(address);
  }

  return async (kind: 'manifests' | 'blobs', reference: string) => {
    let response = await get(new URL(`${kind}/${reference}`, base));
    const place = URL.parse(response.headers.get('location') ?? '');
    // Registries often store settings on another host. Their digest shows whether the content is correct.
    const isMoved = response.status >= 300 && response.status < 400;
    if (kind === 'blobs' && isMoved && place?.protocol === 'https:' && isAllowed(place))
      response = await fetch(place, { signal, redirect: 'error' });
    if (response.status === 404) throw new WrongImage(`${host} has no ${name}:${reference}.`);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const body = await readBody(response, maxBytes);
    const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    if (reference.startsWith('sha256:') && reference !== digest)
      throw new WrongImage(`${host} sent an image ${name} that does not have the digest ${reference}.`);
    const json = parseJson(body.toString('utf8'));
    return { digest, json: isObject(json) ? json : {} };
  };
}

/** Gets an anonymous token from the service that the registry names. */
async function anonymousToken(
  challenge: string,
  { protocol, host }: URL,
  isAllowed: Allows,
  signal: AbortSignal,
): Promise<string> {
  const value = (key: string) => new RegExp(`${key}="([^"]*)"`).exec(challenge)?.[1];
  const service = URL.parse(value('realm') ?? '');
  const isSecure = service?.protocol === 'https:' || (protocol === 'http:' && service?.host === host);
  if (!service || !isSecure || !isAllowed(service)) throw new Error('The registry does not specify a token service.');
  for (const key of ['service', 'scope']) if (value(key)) service.searchParams.set(key, value(key) as string);
  const answer = parseJson((await readBody(await fetch(service, { signal, redirect: 'error' }), maxBytes)).toString());
  const token = isObject(answer) ? (answer.token ?? answer.access_token) : undefined;
  if (typeof token !== 'string') throw new Error('The registry did not issue a token.');
  return token;
}
