/** The certificates with which Toolkeep terminates TLS for one confined server. Their key is never stored. */
import 'reflect-metadata';
import { randomUUID, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export type Certificates = Awaited<ReturnType<typeof createCertificates>>;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
const validDays = 90;
/** More than one server uses. */
const maxContexts = 256;

export async function createCertificates() {
  const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [ownKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  // Clocks of programs may differ.
  const valid = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + validDays * dayMs) };
  const own = await X509CertificateGenerator.createSelfSigned({
    ...valid,
    // Programs tell authorities apart by their names.
    name: `CN=Toolkeep ${randomUUID()}`,
    keys: ownKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(exported).toString('base64')}\n-----END PRIVATE KEY-----\n`;
  const contexts = new Map<string, Promise<SecureContext>>();

  async function create(host: string): Promise<SecureContext> {
    const certificate = await X509CertificateGenerator.create({
      ...valid,
      subject: 'CN=Toolkeep',
      issuer: own.subject,
      publicKey: keys.publicKey,
      signingKey: ownKeys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }], true)],
    });
    return createSecureContext({ key, cert: certificate.toString('pem') });
  }

  return {
    /** Toolkeep's own authority. */
    own: own.toString('pem'),
    /** All that the server trusts: those of this process, and Toolkeep's own. */
    authorities: [...getCACertificates('default'), own.toString('pem')].join('\n'),
    /** For connections to `host`. */
    contextFor(host: string): Promise<SecureContext> {
      const context = contexts.get(host) ?? create(host);
      if (contexts.size < maxContexts) contexts.set(host, context);
      return context;
    },
  };
}
