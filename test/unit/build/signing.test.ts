/** If the environment has a certificate, packages are signed, and never built without a signature. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { signingOptions } from '../../../build/signing.mjs';

const azure = {
  AZURE_TENANT_ID: 't',
  AZURE_CLIENT_ID: 'c',
  AZURE_CLIENT_SECRET: 's',
  AZURE_SIGNING_PUBLISHER: 'Toolkeep contributors',
  AZURE_SIGNING_ENDPOINT: 'https://eus.codesigning.azure.net',
  AZURE_SIGNING_ACCOUNT: 'toolkeep',
  AZURE_SIGNING_PROFILE: 'release',
};

const apple = {
  CSC_LINK: 'base64',
  CSC_KEY_PASSWORD: 'password',
  APPLE_API_KEY: 'key.p8',
  APPLE_API_KEY_ID: 'id',
  APPLE_API_ISSUER: 'issuer',
};

it('An empty secret, which GitHub passes for a missing one, is not a certificate', () => {
  const env = { CSC_LINK: '', WIN_CSC_LINK: '', AZURE_CLIENT_SECRET: '', PATH: '/bin' };
  for (const platform of ['darwin', 'win32', 'linux']) expect(signingOptions(platform, env)).toEqual([]);
  expect(env).toEqual({ PATH: '/bin' });
});

it('With a certificate for its system, a package without a signature fails the build', () => {
  const force = ['--config.forceCodeSigning=true'];
  expect(signingOptions('darwin', { ...apple })).toEqual(force);
  expect(signingOptions('win32', { WIN_CSC_LINK: 'base64' })).toEqual(force);
  expect(signingOptions('win32', { CSC_LINK: 'base64' })).toEqual([]);
  expect(signingOptions('linux', { CSC_LINK: 'base64', WIN_CSC_LINK: 'base64' })).toEqual([]);
});

it("Apple's certificate signs packages for macOS only, even on systems without another certificate", () => {
  for (const platform of ['darwin', 'win32', 'linux']) {
    const env: Record<string, string> = { ...apple };
    signingOptions(platform, env);
    expect(Object.keys(env).filter((name) => name.startsWith('CSC_'))).toEqual(
      platform === 'darwin' ? ['CSC_LINK', 'CSC_KEY_PASSWORD'] : [],
    );
  }
});

it('Azure Trusted Signing gets its settings, all of which are required', () => {
  expect(signingOptions('win32', { ...azure })).toEqual([
    '--config.win.azureSignOptions.publisherName=Toolkeep contributors',
    '--config.win.azureSignOptions.endpoint=https://eus.codesigning.azure.net',
    '--config.win.azureSignOptions.codeSigningAccountName=toolkeep',
    '--config.win.azureSignOptions.certificateProfileName=release',
    '--config.forceCodeSigning=true',
  ]);
  expect(() => signingOptions('win32', { ...azure, AZURE_SIGNING_PROFILE: '' })).toThrow('AZURE_SIGNING_PROFILE');
});

it("Apple's certificate without the key for notarization fails the build at its start", () => {
  const env = { ...apple, APPLE_API_KEY: '', APPLE_API_ISSUER: '' };
  expect(() => signingOptions('darwin', env)).toThrow('APPLE_API_KEY, APPLE_API_ISSUER.');
});

it('A signing key without its public key fails the release before the draft', () => {
  const { jobs } = parse(readFileSync(join(import.meta.dirname, '../../../.github/workflows/package.yml'), 'utf8'));
  const { run } = jobs.release.steps.find(({ name }: { name?: string }) => name === 'Sign the checksums');
  const env = { PATH: process.env.PATH, KEY: 'private', PUBLIC_KEY: '' };
  const { status, stdout } = spawnSync('sh', ['-e', '-c', run], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^::error::.*GPG_PUBLIC_KEY/)]);
});
