/** Signatures of bundles: unsigned, signed by an unknown signer and by a trusted one, and refused if anything is wrong. */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { planBundle } from '../../../electron/core/registry/bundle/bundle.ts';
import { manifestFile, zipOf } from '../../fixtures/bundle.ts';
import { longestTurn } from '../../fixtures/longest-turn.ts';
import {
  authority,
  type Identity,
  newIdentity,
  signatureBlock,
  signatureOf,
  withComment,
} from '../../fixtures/signed-bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-signature-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const archiveOf = (version: string) =>
  zipOf([
    manifestFile({
      ...{ manifest_version: '0.3', name: 'notes', version, description: 'Notes.', author: { name: 'Ada' } },
      server: { type: 'node', entry_point: 'a.js', mcp_config: { command: 'node', args: ['${__dirname}/a.js'] } },
    }),
    { name: 'a.js', content: 'console.log(1);', method: 0 },
  ]);
const archive = archiveOf('1.0.0');
const ada = newIdentity({ name: 'Ada' });
const root = newIdentity({ name: 'Root', extensions: authority });
const good = signatureOf(archive, ada);
let count = 0;

async function plan(bundle: Buffer, roots: Identity[] = []) {
  count += 1;
  const file = join(folder, `${count}.mcpb`);
  writeFileSync(file, bundle);
  const own = { servers: [], taken: new Set<string>(), hasSecret: () => false, confinement: async () => undefined };
  const request = { file, inputs: {}, ...own, roots: async () => roots.map(({ cert }) => cert) };
  const host = { homeDir: folder, dataDir: folder, platform: process.platform, env: {} };
  return planBundle(request, host);
}
const signed = (der: Buffer, content = archive) => Buffer.concat([content, signatureBlock(der)]);

describe('The plan of a bundle', () => {
  it('says that the bundle is not signed', async () => {
    const { plan: shown, origin } = await plan(archive);
    expect(shown).toMatchObject({ signature: 'none', ownership: { state: 'unknown' }, hash: expect.any(String) });
    expect(shown.ownership.detail).toContain('is not signed');
    expect(origin.signer).toBeUndefined();
  });

  it('names an unknown signer with the key, whether the comment length was increased after signing or before', async () => {
    const block = signatureBlock(good);
    const final = withComment(archive, block.length);
    const finalBlock = signatureBlock(signatureOf(final, ada));
    expect(finalBlock.length).toBe(block.length);
    for (const bundle of [
      signed(good),
      Buffer.concat([withComment(archive, block.length), block]),
      Buffer.concat([final, finalBlock]),
    ]) {
      const { plan: shown, origin } = await plan(bundle);
      expect(shown).toMatchObject({ signature: 'unknown', ownership: { state: 'unknown' }, hash: expect.any(String) });
      expect(shown.ownership.detail).toContain('no authority that this computer trusts vouches for it');
      expect(origin.signer).toEqual({ name: 'Ada', key: expect.stringMatching(/^[a-f0-9]{64}$/), isTrusted: false });
    }
  });

  it('names a signer that a trusted certificate authority has certified, directly or through others', async () => {
    const middle = newIdentity({ name: 'Middle', issuer: root, extensions: authority });
    const direct = newIdentity({ name: 'Grace', issuer: root });
    const indirect = newIdentity({ name: 'Grace', issuer: middle, keyType: 'ec' });
    for (const der of [signatureOf(archive, direct), signatureOf(archive, indirect, [middle])]) {
      const { plan: shown, origin } = await plan(signed(der), [ada, root]);
      expect(shown).toMatchObject({ signature: 'trusted', ownership: { state: 'confirmed' } });
      expect(origin.signer).toMatchObject({ name: 'Grace', isTrusted: true });
    }
  });

  const pure = ['basicConstraints=critical,CA:FALSE'];
  it.each<[string, string, () => [Identity, Identity[]]]>([
    ['an expired certificate', 'not valid today', () => [newIdentity({ issuer: root, days: -1 }), []]],
    [
      'a certificate for websites',
      'not for signing code',
      () => [newIdentity({ issuer: root, extensions: ['extendedKeyUsage=serverAuth'] }), []],
    ],
    [
      'a certificate without a purpose',
      'not for signing code',
      () => [newIdentity({ issuer: root, extensions: pure }), []],
    ],
    [
      'an issuer that is no authority',
      'no authority',
      () => {
        const middle = newIdentity({ name: 'Middle', issuer: root, extensions: pure });
        return [newIdentity({ issuer: middle }), [middle]];
      },
    ],
    [
      'an authority for websites only',
      'no authority',
      () => {
        const middle = newIdentity({
          name: 'Middle',
          issuer: root,
          extensions: [...authority, 'extendedKeyUsage=serverAuth'],
        });
        return [newIdentity({ issuer: middle }), [middle]];
      },
    ],
    [
      'an authority that may have none below it',
      'no authority',
      () => {
        const top = newIdentity({
          name: 'Top',
          issuer: root,
          extensions: ['basicConstraints=critical,CA:TRUE,pathlen:0'],
        });
        const low = newIdentity({ name: 'Low', issuer: top, extensions: authority });
        return [newIdentity({ issuer: low }), [low, top]];
      },
    ],
    [
      'limits on names',
      'restrictions that Toolkeep does not support',
      () => {
        const middle = newIdentity({
          name: 'Middle',
          issuer: root,
          extensions: [...authority, 'nameConstraints=critical,permitted;DNS:example.com'],
        });
        return [newIdentity({ issuer: middle }), [middle]];
      },
    ],
    [
      'the name of an authority, but another key',
      'no authority',
      () => [newIdentity({ issuer: newIdentity({ name: 'Root', extensions: authority }) }), []],
    ],
    [
      'an authority that the computer does not know',
      'no authority',
      () => [newIdentity({ issuer: newIdentity({ name: 'Other', extensions: authority }) }), []],
    ],
  ])('does not trust a signer with %s', async (_what, reason, make) => {
    const [signer, chain] = make();
    const { plan: shown } = await plan(signed(signatureOf(archive, signer, chain)), [root]);
    expect(shown.signature).toBe('unknown');
    expect(shown.ownership.detail).toContain(reason);
  });
});

const digest = (content: Buffer) => createHash('sha256').update(content).digest();
const serialOf = ({ cert }: Identity) => new X509Certificate(cert).serialNumber;

/** Replaces the only place of `from` in a signature. */
function replaced(der: Buffer, from: Buffer, to: Buffer): Buffer {
  const at = der.indexOf(from);
  expect([at === -1, from.length]).toEqual([false, to.length]);
  return Buffer.concat([der.subarray(0, at), to, der.subarray(at + from.length)]);
}
const derOf = ({ cert }: Identity) => Buffer.from(cert.replaceAll(/-----.*-----|\n/g, ''), 'base64');
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
};

/** A signature with the certificate of its signer and with copies of its issuer's, each with another key. */
function withCopies(count: number): Buffer {
  const issuer = derOf(root);
  const key = new X509Certificate(issuer).publicKey.export({ type: 'spki', format: 'der' });
  const copies = Array.from({ length: count }, (_, index) => {
    const copy = Buffer.from(issuer);
    copy.writeUInt32BE(index, issuer.indexOf(key) + 100);
    return { ...root, cert: `-----BEGIN CERTIFICATE-----\n${copy.toString('base64')}\n-----END CERTIFICATE-----\n` };
  });
  return signatureOf(archive, newIdentity({ issuer: root }), copies);
}

/** A signature whose type is an identifier of this many bytes. */
function typedBy(length: number): Buffer {
  const item = (tag: number, content: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    const bytes = content.length < 2 ** 16 ? 2 : 3;
    return Buffer.concat([Buffer.from([tag, 0x80 + bytes]), size.subarray(4 - bytes), content]);
  };
  return item(0x30, Buffer.concat([item(6, Buffer.alloc(length, 1)), Buffer.from([0xa0, 0])]));
}

it('A signature with an identifier of a megabyte does not hold Core', async () => {
  const bundle = signed(typedBy(1_000_000));
  const { result, ms } = await longestTurn(() => plan(bundle).catch(({ failure }) => failure));
  expect(result).toMatchObject({ message: "The bundle's signature is larger than 64 KB." });
  expect(ms).toBeLessThan(200);
});

it('A signer may have 15 more certificates', async () => {
  expect((await plan(signed(withCopies(15)), [root])).plan).toMatchObject({ signature: 'trusted' });
});

describe('A signed bundle', () => {
  it.each<[string, string, () => Buffer]>([
    [
      'one changed bit in a file',
      'changed after it was signed',
      () => flipped(signed(good), archive.indexOf('console')),
    ],
    [
      'the signature of another version',
      'changed after it was signed',
      () => signed(signatureOf(archiveOf('1.0.1'), ada)),
    ],
    [
      'another comment in the archive',
      'changed after it was signed',
      () => {
        const other = Buffer.concat([withComment(archive, 2), Buffer.from('no')]);
        return Buffer.concat([other, signatureBlock(good)]);
      },
    ],
    ['one changed bit in the signature', 'does not match', () => signed(flipped(good, good.length - 10))],
    [
      'other signed attributes for its new content',
      'does not match',
      () => {
        const other = archiveOf('1.0.1');
        const [from, to] = [archive, other].map((content) => digest(content)) as [Buffer, Buffer];
        return signed(replaced(good, from, to), other);
      },
    ],
    [
      'the certificate of another key',
      'does not match',
      () => {
        // Names and number are the same, and so is the length.
        const other = newIdentity({ name: 'Ada', serial: serialOf(ada) });
        return signed(replaced(good, derOf(ada), derOf(other)));
      },
    ],
    ['no certificate', 'does not include the certificate', () => signed(signatureOf(archive, ada, [], ['-nocerts']))],
    ['no signed attributes', 'no signed attributes', () => signed(signatureOf(archive, ada, [], ['-noattr']))],
    [
      'its content inside the signature',
      'signature is unknown',
      () => signed(signatureOf(archive, ada, [], ['-nodetach'])),
    ],
    ['a weak hash', 'too weak or unknown', () => signed(signatureOf(archive, ada, [], ['-md', 'sha1']))],
    ['a weak key', 'too weak', () => signed(signatureOf(archive, newIdentity({ keyType: 'rsa:1024' })))],
    [
      'an algorithm that Toolkeep does not know',
      'signature is unknown',
      () => signed(signatureOf(archive, ada, [], ['-keyopt', 'rsa_padding_mode:pss'])),
    ],
    ['a signer named by key only', 'damaged', () => signed(signatureOf(archive, ada, [], ['-keyid']))],
    ['20 certificates of its issuer', 'too many certificates', () => signed(withCopies(19))],
    ['1000 certificates of its issuer', 'larger than 64 KB', () => signed(withCopies(999))],
    ['an identifier of 60,000 bytes', 'damaged', () => signed(typedBy(60_000))],
    ['a signature that is cut', 'damaged', () => signed(good.subarray(0, -20))],
    ['bytes after the signature', 'damaged', () => signed(Buffer.concat([good, Buffer.from([5, 0])]))],
    ['a wrong length', 'damaged', () => Buffer.concat([archive, signatureBlock(good, good.length - 1)])],
    ['a length beyond the file', 'damaged', () => Buffer.concat([archive, signatureBlock(good, 0xffff_ffff)])],
    ['no mark at the end', 'damaged', () => signed(good).subarray(0, -12)],
    ['no mark at the start', 'damaged', () => Buffer.concat([archive, good, Buffer.from('MCPB_SIG_END')])],
    ['something that is no signature', 'damaged', () => signed(Buffer.from('not DER at all'))],
    ['an empty signature', 'damaged', () => signed(Buffer.alloc(0))],
  ])('with %s is refused', async (_what, reason, make) => {
    await expect(plan(make(), [root])).rejects.toMatchObject({
      failure: { code: 'INSTALL_REFUSED', message: expect.stringMatching(new RegExp(reason)) },
    });
  });
});
