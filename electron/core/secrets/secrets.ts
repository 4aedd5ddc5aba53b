/** Secrets and placeholders: the vault, resolving a connection just before use, and showing it to people without its secrets. */

export { concealer } from './conceal.ts';
export { isBlank, looksSecret } from './patterns.ts';
export { placeholdersIn, replacePlaceholders } from './placeholders.ts';
export { clientSecret, type PlainSecret, plainSecrets } from './plain-secrets.ts';
export { describeConnection, maskText, redact } from './redact.ts';
export { namedSecrets, type ResolvedConnection, resolveConnection, secretNames, tryResolve } from './resolve.ts';
export { createSupply, type ProvideOptions, type Supply } from './supply.ts';
export { mask } from './tokens.ts';
export {
  holdingSecrets,
  moveAllToVault,
  moveToVault,
  openVault,
  type Vault,
  withoutReferences,
  withoutSecrets,
  withSecretsMasked,
} from './vault.ts';
