/** Sends a file that the user chose in a page to Core, in parts. */
import { t } from '../text.tsx';

/** Bytes in each part. */
const partBytes = 768 * 1024;

interface Received {
  id: string;
  /** Its path on Core's computer. */
  file: string;
}

/** Resolves with the path that Core gives to the file. */
export async function sendFile(
  file: File,
  send: (part: string, id: string | undefined) => Promise<Received>,
): Promise<string> {
  let received = await send(await base64Of(file.slice(0, partBytes)), undefined);
  for (let at = partBytes; at < file.size; at += partBytes)
    received = await send(await base64Of(file.slice(at, at + partBytes)), received.id);
  return received.file;
}

function base64Of(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
  reader.onerror = () => reject(new Error(reader.error?.message ?? t('The file cannot be read.')));
  reader.readAsDataURL(blob);
  return promise;
}
