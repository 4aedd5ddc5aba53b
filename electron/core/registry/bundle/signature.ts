/** Checks the signature of a bundle, a detached PKCS #7 signature after the archive. */
import { createHash, verify, X509Certificate } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Signer } from '../../../../shared/model/registry.ts';
import { readRange } from '../../files/regular-file.ts';
import { Refused } from '../launch.ts';
import { distrustOf, fieldsOf } from './certificates.ts';
import { type Der, need, oidOf, readDer, readOne, tags } from './der.ts';
import type { Zip } from './zip.ts';

/** A correct signature; `distrust` says why its signer is not trusted. */
export interface Signature {
  signer: Signer;
  distrust?: string;
}

const signedData = '1.2.840.113549.1.7.2';
const plainData = '1.2.840.113549.1.7.1';
const contentTypeAttribute = '1.2.840.113549.1.9.3';
const digestAttribute = '1.2.840.113549.1.9.4';
const hashes: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** The type of the key, and the hash if the algorithm names one. */
const algorithms: Readonly<Record<string, readonly [type: string, hash?: string]>> = {
  '1.2.840.113549.1.1.1': ['rsa'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
};
const minRsaBits = 2048;
/** A signer needs only a few certificates, and checking each takes time. */
const maxCertificates = 16;

/** Undefined for an unsigned bundle. Throws `Refused` if the signature is damaged, weak, or made for other content. */
export async function checkSignature(
  zip: Pick<Zip, 'handle' | 'signature'>,
  roots: () => Promise<readonly string[]>,
): Promise<Signature | undefined> {
  if (!zip.signature) return undefined;
  const { certificates, info } = readSignature(zip.signature.der);
  const hash = requireHash(oidOf(readDer(need(info.digest, tags.sequence).content)[0]));
  const leaf = certificates.find(({ raw }) => isIssued(raw, info.signer));
  if (!leaf) throw new Refused("The bundle's signature does not include the certificate of its signer.");
  await requireDigest(zip.handle, zip.signature, hash, digestOf(info.attributes));
  requireValid(info, leaf, hash);
  const others = certificates.filter((one) => one !== leaf);
  const distrust = await distrustOf(leaf, others, await roots());
  const key = createHash('sha256')
    .update(leaf.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const signer = { name: nameOf(leaf), key, isTrusted: distrust === undefined };
  return { signer, ...(distrust !== undefined && { distrust }) };
}

interface SignerInfo {
  /** Issuer and serial number. */
  signer: Der;
  digest: Der | undefined;
  attributes: Der;
  algorithm: string;
  value: Buffer;
}

function readSignature(der: Buffer): { certificates: X509Certificate[]; info: SignerInfo } {
  const [type, wrapped] = readDer(readOne(der, tags.sequence).content);
  if (oidOf(type) !== signedData) throw new Refused("The type of the bundle's signature is unknown.");
  const [, , content, ...rest] = readDer(readOne(need(wrapped, 0xa0).content, tags.sequence).content);
  const [contentType, attached] = readDer(need(content, tags.sequence).content);
  if (oidOf(contentType) !== plainData || attached) throw new Refused("The type of the bundle's signature is unknown.");
  const list = rest[0]?.tag === 0xa0 ? readDer(rest[0].content) : [];
  if (list.length > maxCertificates) throw new Refused("The bundle's signature has too many certificates.");
  const certificates = list.map(certificateOf);
  const infos = readDer(need(rest.at(-1), tags.set).content);
  if (infos.length !== 1) throw new Refused('The bundle must have exactly one signer.');
  const [, signer, digest, attributes, algorithm, value] = readDer(need(infos[0], tags.sequence).content);
  // Otherwise the signature could have been made for something else.
  if (attributes?.tag !== 0xa0) throw new Refused("The bundle's signature has no signed attributes.");
  return {
    certificates,
    info: {
      signer: need(signer, tags.sequence),
      digest,
      attributes,
      algorithm: oidOf(readDer(need(algorithm, tags.sequence).content)[0]),
      value: need(value, tags.octets).content,
    },
  };
}

function certificateOf({ whole }: Der): X509Certificate {
  try {
    return new X509Certificate(whole);
  } catch {
    throw new Refused("The bundle's signature is damaged.");
  }
}

function isIssued(raw: Buffer, signer: Der): boolean {
  const [issuer, serial] = readDer(signer.content);
  const fields = fieldsOf(raw);
  return (
    fields.issuer.equals(need(issuer, tags.sequence).whole) && fields.serial.equals(need(serial, tags.integer).content)
  );
}

function requireHash(oid: string): string {
  const hash = hashes[oid];
  if (hash === undefined) throw new Refused("The bundle's signature uses a hash that is too weak or unknown.");
  return hash;
}

/** Returns the hash of the content from the signed attributes. */
function digestOf(attributes: Der): Buffer {
  const all = readDer(attributes.content).map((item) => readDer(need(item, tags.sequence).content));
  const attributeOf = (wanted: string) => {
    const [found, second] = all.filter(([id]) => oidOf(id) === wanted);
    const values = found && !second ? readDer(need(found[1], tags.set).content) : [];
    if (values.length !== 1) throw new Refused("The bundle's signature is damaged.");
    return values[0];
  };
  if (oidOf(attributeOf(contentTypeAttribute)) !== plainData)
    throw new Refused("The type of the bundle's signature is unknown.");
  return need(attributeOf(digestAttribute), tags.octets).content;
}

/**
 * Throws `Refused` unless the hash matches. After signing, some signers increase the archive's comment length, so that other
 * programs accept the signature at its end. The signature may cover either form.
 */
async function requireDigest(
  handle: FileHandle,
  { start, commentAt }: NonNullable<Zip['signature']>,
  name: string,
  digest: Buffer,
): Promise<void> {
  const [asIs, asSigned] = [createHash(name), createHash(name)];
  let at = 0;
  for await (const bytes of readRange(handle, 0, start)) {
    asIs.update(bytes);
    const plain = Buffer.from(bytes);
    for (const place of [commentAt, commentAt + 1]) if (place >= at && place < at + plain.length) plain[place - at] = 0;
    asSigned.update(plain);
    at += bytes.length;
  }
  if (!asIs.digest().equals(digest) && !asSigned.digest().equals(digest))
    throw new Refused('The bundle changed after it was signed.');
}

function requireValid(
  { attributes, algorithm, value }: SignerInfo,
  { publicKey }: X509Certificate,
  hash: string,
): void {
  const [type, ownHash = hash] = algorithms[algorithm] ?? [];
  if (type === undefined || publicKey.asymmetricKeyType !== type || ownHash !== hash)
    throw new Refused("The type of the bundle's signature is unknown.");
  if (type === 'rsa' && (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits)
    throw new Refused('The key of the signature is too weak.');
  // The signature covers the attributes encoded as a SET, which has a different tag.
  const signed = Buffer.from(attributes.whole);
  signed[0] = tags.set;
  if (!verify(hash, signed, publicKey, value))
    throw new Refused("The bundle's signature does not match its certificate.");
}

function nameOf({ subject }: X509Certificate): string {
  const part = (key: string) => new RegExp(`^${key}=(.+)$`, 'm').exec(subject)?.[1];
  return (part('CN') ?? part('O') ?? 'an unnamed signer').slice(0, 200);
}
