/**
 * A sealed value starts with the kind and id of its key (`k1.1f0c9a3b:`), so that a value sealed with another key is not
 * reported as damaged.
 */
import { fail } from '../../shared/failure.ts';
import type { Sealer } from '../core/host.ts';

export const passphraseTag = 'p1';

/**
 * Adds `tag` to each value that `sealer` seals. Values without a tag are of this run; they are unsealed with `memory`,
 * then sealed again.
 */
export function tagged(tag: string, sealer: Sealer, memory?: Sealer): Sealer {
  const seal = async (plain: string) => `${tag}:${await sealer.seal(plain)}`;
  return {
    persistent: sealer.persistent,
    label: sealer.label,
    seal,
    async unseal(sealed, onResealed) {
      const [, found, body = ''] = /^([a-z]\d(?:\.[0-9a-f]{8})?):(.*)$/s.exec(sealed) ?? [];
      if (found === tag) return sealer.unseal(body);
      if (found !== undefined || !memory) throw fail('SECRET_UNREADABLE', unreadable(found));
      const plain = await memory.unseal(sealed);
      onResealed?.(await seal(plain));
      return plain;
    },
  };
}

function unreadable(tag: string | undefined): string {
  if (tag === undefined) return 'A stored secret could not be unsealed. Enter it again.';
  return tag === passphraseTag
    ? 'A stored secret was sealed with a passphrase. Set TOOLKEEP_PASSPHRASE_FILE, or enter the secret again.'
    : `A stored secret was sealed with another key. Unlock the keyring that holds it, or enter the secret again.`;
}
