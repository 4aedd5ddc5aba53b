/** Hides secrets of a server config that a UI edits, and restores them when it is saved. */
import { hiddenSecret, replaceHiddenSecrets } from '../../../shared/hidden-secret.ts';
import type { Connection } from '../../../shared/model/server.ts';
import { mapStrings, plainSecrets, replaceSecrets } from './plain-secrets.ts';

/** Returns a copy in which every secret in plain text is a placeholder such as `«hidden-1»`. */
export function hideSecrets(connection: Connection): Connection {
  const secrets = plainSecrets(connection);
  return replaceSecrets(connection, secrets, (secret) => hiddenSecret(secrets.indexOf(secret) + 1));
}

/** Returns a copy with the placeholders of `hideSecrets` replaced by the secrets of the stored connection. */
export function restoreSecrets(edited: Connection, stored: Connection): Connection {
  const secrets = plainSecrets(stored);
  return mapStrings(edited, (text) =>
    replaceHiddenSecrets(text, (whole, number) => secrets[number - 1]?.value ?? whole),
  );
}
