/** The path of a file or folder, with the home folder shown as `~`. */
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';
import { VisibleText } from './untrusted-text.tsx';

export function Path({ path }: { path: string }) {
  const { status } = useStores();
  const home = useResource(status).data?.homeDir;
  return <VisibleText as="span" className="mono" translate="no" title={path} text={shortPath(path, home)} />;
}

function shortPath(path: string, home: string | undefined): string {
  if (!home || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === '' || /^[/\\]/.test(rest) ? `~${rest}` : path;
}
