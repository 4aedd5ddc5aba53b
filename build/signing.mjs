/** The options of electron-builder for the certificates in the environment. */

/** Certificates and their passwords. GitHub sets a secret that the repository lacks to an empty string. */
const secrets = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  'APPLE_API_KEY',
  'APPLE_API_KEY_ID',
  'APPLE_API_ISSUER',
  'WIN_CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
];
/** The settings of Azure Trusted Signing, by environment variable. All are necessary. */
const azure = {
  AZURE_SIGNING_PUBLISHER: 'publisherName',
  AZURE_SIGNING_ENDPOINT: 'endpoint',
  AZURE_SIGNING_ACCOUNT: 'codeSigningAccountName',
  AZURE_SIGNING_PROFILE: 'certificateProfileName',
};

/** With a certificate, a package that is not signed fails the build. Deletes empty and unsuitable variables from `env`. */
export function signingOptions(platform, env) {
  for (const name of [...secrets, ...Object.keys(azure)]) if (env[name] === '') delete env[name];
  // electron-builder would use Apple's certificate on every system that has no other.
  if (platform !== 'darwin') for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD']) delete env[name];
  const options = [];
  if (platform === 'win32' && env.AZURE_CLIENT_SECRET) {
    const missing = Object.keys(azure).filter((name) => env[name] === undefined);
    if (missing.length > 0) throw new Error(`Azure Trusted Signing also needs ${missing.join(', ')}.`);
    for (const [name, option] of Object.entries(azure))
      options.push(`--config.win.azureSignOptions.${option}=${env[name]}`);
  }
  const hasCertificate = {
    darwin: env.CSC_LINK !== undefined,
    win32: env.WIN_CSC_LINK !== undefined || options.length > 0,
  }[platform];
  if (hasCertificate) options.push('--config.forceCodeSigning=true');
  return options;
}
