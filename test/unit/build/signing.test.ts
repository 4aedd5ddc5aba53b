/** Packages are signed if the environment has a certificate, and then never built without a signature. */
import { expect, it } from 'vitest';
import { signingOptions } from '../../../build/signing.mjs';

const azure = {
  AZURE_TENANT_ID: 't',
  AZURE_CLIENT_ID: 'c',
  AZURE_CLIENT_SECRET: 's',
  AZURE_SIGNING_PUBLISHER: 'Gatehouse contributors',
  AZURE_SIGNING_ENDPOINT: 'https://eus.codesigning.azure.net',
  AZURE_SIGNING_ACCOUNT: 'gatehouse',
  AZURE_SIGNING_PROFILE: 'release',
};

it('Empty secrets, as GitHub passes those that a repository lacks, are no certificates', () => {
  const env = { CSC_LINK: '', WIN_CSC_LINK: '', AZURE_CLIENT_SECRET: '', PATH: '/bin' };
  for (const platform of ['darwin', 'win32', 'linux']) expect(signingOptions(platform, env)).toEqual([]);
  expect(env).toEqual({ PATH: '/bin' });
});

it('With a certificate for its system, a package without a signature fails the build', () => {
  const force = ['--config.forceCodeSigning=true'];
  expect(signingOptions('darwin', { CSC_LINK: 'base64' })).toEqual(force);
  expect(signingOptions('win32', { WIN_CSC_LINK: 'base64' })).toEqual(force);
  expect(signingOptions('win32', { CSC_LINK: 'base64' })).toEqual([]);
  expect(signingOptions('linux', { CSC_LINK: 'base64', WIN_CSC_LINK: 'base64' })).toEqual([]);
});

it("Apple's certificate signs packages for macOS only, also where there is no other", () => {
  const certificate = { CSC_LINK: 'base64', CSC_KEY_PASSWORD: 'password' };
  for (const [platform, left] of [
    ['darwin', certificate],
    ['win32', {}],
    ['linux', {}],
  ] as const) {
    const env = { ...certificate };
    signingOptions(platform, env);
    expect(env).toEqual(left);
  }
});

it('Azure Trusted Signing gets its settings, and all are necessary', () => {
  expect(signingOptions('win32', { ...azure })).toEqual([
    '--config.win.azureSignOptions.publisherName=Gatehouse contributors',
    '--config.win.azureSignOptions.endpoint=https://eus.codesigning.azure.net',
    '--config.win.azureSignOptions.codeSigningAccountName=gatehouse',
    '--config.win.azureSignOptions.certificateProfileName=release',
    '--config.forceCodeSigning=true',
  ]);
  expect(() => signingOptions('win32', { ...azure, AZURE_SIGNING_PROFILE: '' })).toThrow('AZURE_SIGNING_PROFILE');
});
