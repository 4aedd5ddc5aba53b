/**
 * Notices calls whose arguments name Gatehouse's own files or address. With those an agent could rewrite the rules, add
 * grants or read the key of the local socket, and so approve its own calls: every such call asks, whatever its tool is.
 */
import type { Host } from '../host.ts';
import { type Arguments, numbersIn, stringsIn } from './argument-values.ts';
import { isInside, resolvedPath } from './paths.ts';

export interface OwnFiles {
  /** Why the call needs the user, in a sentence for the question; undefined if it names nothing of Gatehouse. */
  reasonToAsk(args: Arguments): Promise<string | undefined>;
}

/** More paths than anyone reads in a question. */
const maxPaths = 500;
/** The folder's usual name as a whole part of a path, as in `~/.gatehouse/config.json` or `$HOME/.gatehouse`. */
const folderName = /(?<![\w.-])\.gatehouse(?![\w.-])/i;

type Places = Pick<Host, 'dataDir' | 'homeDir' | 'platform' | 'env'>;

/** `port`: of the local HTTP endpoint, if it listens. */
export function createOwnFiles(host: Places, port: () => number | undefined): OwnFiles {
  const { dataDir, homeDir, platform, env } = host;
  const places = [dataDir, env.GATEHOUSE_PASSPHRASE_FILE].filter((place) => place !== undefined);
  const ignoresCase = platform === 'darwin' || platform === 'win32';
  const folded = (text: string) => (ignoresCase ? text.replaceAll('\\', '/').toLowerCase() : text);
  const written = places.map(folded);
  const namesPlace = (text: string) => folderName.test(text) || written.some((place) => folded(text).includes(place));

  async function leadsInside(path: string, real: (string | undefined)[]): Promise<boolean> {
    const place = await resolvedPath(path.replace(/^~(?=[\\/]|$)/, homeDir));
    return place !== undefined && real.some((own) => own !== undefined && isInside(own, place));
  }

  return {
    async reasonToAsk(args) {
      const found = stringsIn(args);
      if (!found) return 'Its arguments are nested too deeply to check whether they name files of Gatehouse.';
      const texts = new Set(found.map(({ value }) => value));
      const named = [...texts].find((text) => namesPlace(text) || namesPlace(decoded(text)));
      if (named !== undefined) return ownFile;
      const own = port();
      if (own !== undefined && namesPort(texts, args, own)) return ownAddress;
      const paths = [...texts].filter((text) => /^(?:[\\/~]|file:|[A-Za-z]:[\\/])/i.test(text) && !/[\r\n]/.test(text));
      if (paths.length > maxPaths)
        return `It names ${paths.length} paths, too many to check whether they lead to files of Gatehouse.`;
      const real = await Promise.all(places.map(resolvedPath));
      for (const path of paths) if (await leadsInside(path, real)) return ownFile;
      return undefined;
    },
  };
}

const ownFile =
  'It names files of Gatehouse itself. An agent that reads or changes them can change your rules and approve calls in your place.';
const ownAddress = 'It names the address of Gatehouse itself, through which calls can be approved.';

/** Any host: names and numbers for this machine are too many to list. */
function namesPort(texts: ReadonlySet<string>, args: Arguments, port: number): boolean {
  const inText = new RegExp(`:0*${port}(?!\\d)`);
  for (const text of texts) if (inText.test(text)) return true;
  return numbersIn(args).some(({ name, value }) => value === port && /port/i.test(name));
}

/** The text with its ASCII percent escapes decoded, as a server may read it. */
function decoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
