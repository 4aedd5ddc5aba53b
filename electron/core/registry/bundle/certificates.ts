/** Checks whether a code-signing certificate leads to a certificate authority that the computer trusts. */
import { X509Certificate } from 'node:crypto';
import { createSlices } from '../../async/slices.ts';
import { type Der, need, oidOf, readDer, readOne, tags } from './der.ts';

const codeSigning = '1.3.6.1.5.5.7.3.3';
const anyPurpose = '2.5.29.37.0';
const basicConstraints = '2.5.29.19';
const keyUsage = '2.5.29.15';
const extendedKeyUsage = '2.5.29.37';
/** A certificate with another critical extension, such as limits on names, is not trusted. */
const understood = new Set([basicConstraints, keyUsage, extendedKeyUsage]);
const maxChain = 6;

/** The fields of a certificate that Node.js does not expose. */
export interface CertificateFields {
  serial: Buffer;
  issuer: Buffer;
  /** By identifier. */
  extensions: ReadonlyMap<string, { isCritical: boolean; value: Buffer }>;
}

export function fieldsOf(raw: Buffer): CertificateFields {
  const [tbs] = readDer(readOne(raw, tags.sequence).content);
  const parts = readDer(need(tbs, tags.sequence).content);
  if (parts[0]?.tag === 0xa0) parts.shift();
  const [serial, , issuer] = parts;
  const list = parts.find(({ tag }) => tag === 0xa3);
  const extensions = list ? readDer(readOne(list.content, tags.sequence).content).map(extensionOf) : [];
  return {
    serial: need(serial, tags.integer).content,
    issuer: need(issuer, tags.sequence).whole,
    extensions: new Map(extensions),
  };
}

function extensionOf(item: Der): [string, { isCritical: boolean; value: Buffer }] {
  const [id, ...rest] = readDer(need(item, tags.sequence).content);
  const value = need(rest.at(-1), tags.octets).content;
  return [oidOf(id), { isCritical: rest.length === 2 && rest[0]?.content[0] !== 0, value }];
}

/**
 * Returns why the computer does not trust the signer; undefined if it does. `others`: certificates in the bundle. `roots`: the
 * computer's authorities, as PEM. Revocation is not checked.
 */
export async function distrustOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly string[],
  now = new Date(),
): Promise<string | undefined> {
  if (!allowsSigning(leaf, true)) return 'its certificate is not for signing code';
  const slice = createSlices();
  const authorities: X509Certificate[] = [];
  for (const pem of roots) {
    await slice();
    const root = certificateOf(pem);
    if (root) authorities.push(root);
  }
  let current = leaf;
  for (let depth = 0; depth < maxChain; depth += 1) {
    if (now < new Date(current.validFrom) || now > new Date(current.validTo))
      return depth === 0 ? 'its certificate is not valid today' : 'the certificate of its issuer is not valid today';
    if (depth > 0 && authorities.some((root) => root.fingerprint256 === current.fingerprint256)) return undefined;
    if (hasUnknownRules(current)) return 'its certificate has restrictions that Toolkeep does not support';
    const issuer = await issuerOf(current, [...authorities, ...others], depth, slice);
    if (!issuer || issuer.fingerprint256 === current.fingerprint256)
      return 'no authority that this computer trusts vouches for it';
    current = issuer;
  }
  return 'its certificate has too many issuers';
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

async function issuerOf(
  certificate: X509Certificate,
  candidates: readonly X509Certificate[],
  depth: number,
  slice: () => Promise<void>,
): Promise<X509Certificate | undefined> {
  for (const candidate of candidates) {
    await slice();
    if (issued(candidate, certificate, depth)) return candidate;
  }
  return undefined;
}

/** Whether `authority` issued `certificate`. `depth`: the number of authorities below `authority`. */
function issued(authority: X509Certificate, certificate: X509Certificate, depth: number): boolean {
  return (
    authority.ca &&
    certificate.checkIssued(authority) &&
    allowsSigning(authority, false) &&
    depth <= maxAuthoritiesBelow(authority) &&
    certificate.verify(authority.publicKey)
  );
}

/** Node.js calls the extended key usage `keyUsage`. An authority without it may issue certificates for any purpose. */
function allowsSigning({ keyUsage: purposes }: X509Certificate, isLeaf: boolean): boolean {
  const list: readonly string[] | undefined = purposes;
  if (list === undefined) return !isLeaf;
  return list.includes(codeSigning) || (!isLeaf && list.includes(anyPurpose));
}

function maxAuthoritiesBelow({ raw }: X509Certificate): number {
  const value = fieldsOf(raw).extensions.get(basicConstraints)?.value;
  const limit = value && readDer(readOne(value, tags.sequence).content).find(({ tag }) => tag === tags.integer);
  return limit ? (limit.content[0] ?? 0) : Number.POSITIVE_INFINITY;
}

const hasUnknownRules = ({ raw }: X509Certificate) =>
  [...fieldsOf(raw).extensions].some(([id, { isCritical }]) => isCritical && !understood.has(id));
