/** Sealing with Electron's safeStorage. Where it would only scramble, secrets stay in memory and the label says so. */
import { safeStorage } from 'electron';
import { fail } from '../../shared/failure.ts';
import type { Sealer } from '../core/host.ts';
import { memorySealer } from '../host/host.ts';

const linuxBackends: Record<string, string> = {
  gnome_libsecret: 'Secret Service keyring',
  kwallet: 'KWallet',
  kwallet5: 'KWallet',
  kwallet6: 'KWallet',
};

/** Must run after Electron is ready. On Linux `basic_text` is a key that everybody knows: that is not sealing. */
export async function safeStorageSealer(platform: NodeJS.Platform): Promise<Sealer> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return memorySealer();
  const label = labelOf(platform);
  if (!label) return memorySealer();
  const seal = async (plain: string) => (await safeStorage.encryptStringAsync(plain)).toString('base64url');
  return {
    persistent: true,
    label,
    seal,
    async unseal(sealed, onResealed) {
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64url'));
        if (shouldReEncrypt) onResealed?.(await seal(result));
        return result;
      } catch {
        throw fail('SECRET_UNREADABLE', `A stored secret could not be opened with the ${label}.`);
      }
    },
  };
}

function labelOf(platform: NodeJS.Platform): string | undefined {
  if (platform === 'darwin') return 'macOS Keychain';
  if (platform === 'win32') return 'Windows Data Protection';
  return linuxBackends[safeStorage.getSelectedStorageBackend()];
}
