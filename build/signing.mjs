/** The options of electron-builder for the certificates in the environment. */

const notarization = ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'];
/** Certificates and their passwords. GitHub sets a secret that the repository lacks to an empty string. */
const secrets = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  ...notarization,
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
    requireAll('Azure Trusted Signing', Object.keys(azure), env);
    for (const [name, option] of Object.entries(azure))
      options.push(`--config.win.azureSignOptions.${option}=${env[name]}`);
  }
  // Without notarization, Gatekeeper refuses the signed app.
  if (platform === 'darwin' && env.CSC_LINK) requireAll("Apple's certificate", notarization, env);
  const hasCertificate = {
    darwin: env.CSC_LINK !== undefined,
    win32: env.WIN_CSC_LINK !== undefined || options.length > 0,
  }[platform];
  if (hasCertificate) options.push('--config.forceCodeSigning=true');
  return options;
}

function requireAll(what, names, env) {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length > 0) throw new Error(`${what} also needs ${missing.join(', ')}.`);
}
