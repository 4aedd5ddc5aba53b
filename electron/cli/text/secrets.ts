/** Text output of `toolkeep secrets list`: names and locations, never values. */
import type { SecretsView } from '../../../shared/model/secret.ts';
import { count, type Style, safe } from '../terminal.ts';

export function secretsText({ vault, secrets, plain }: SecretsView, style: Style): string {
  const lines = secrets.map(({ name, isSet, isTemporary, servers }) => {
    const users = servers.length > 0 ? `used by ${servers.join(', ')}` : 'not used';
    const state = isTemporary ? ' (set until Toolkeep quits)' : isSet ? '' : ' (not set)';
    const mark = isSet || isTemporary ? style.good('✓') : style.bad('✗');
    return `${mark} ${style.bold(safe(name))}${state} ${style.dim(safe(users))}`;
  });
  const unsealed = plain.map(({ server, secrets: labels, own }) => {
    const note = own ? '' : style.dim(' (in a file that Toolkeep does not change)');
    return `${style.warn('!')} ${style.bold(safe(server))}: ${safe(labels.join(', '))}${note}`;
  });
  return [
    `Vault: ${vault.persistent ? `sealed with the ${vault.label}` : `${vault.label}; not stored on disk`}`,
    `Secrets (${secrets.length})${lines.length > 0 ? `:\n${lines.join('\n')}` : ''}`,
    ...(unsealed.length > 0
      ? [
          `In plain text (${count(plain.length, 'server')}):\n${unsealed.join('\n')}\nMove them with \`toolkeep secrets protect\`.`,
        ]
      : []),
  ].join('\n\n');
}
