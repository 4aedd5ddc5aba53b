/** The tags of a server, as links to the list of servers with the same tag. */
import type { ServerView } from '../../../shared/model/server.ts';
import { byName } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './server-detail.module.css';

/** All tags in use. */
export function tagsOf(servers: readonly ServerView[]): string[] {
  return [...new Set(servers.flatMap(({ tags = [] }) => tags))].sort(byName);
}

export function TagLinks({ tags }: { tags: readonly string[] }) {
  const { serverList } = useStores();
  return (
    <ul className={`badges ${styles.tags}`} aria-label={t('Tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <a className="badge" href={hrefOf('servers')} onClick={() => serverList.set({ tag, text: '', state: 'all' })}>
            <VisibleText text={tag} />
          </a>
        </li>
      ))}
    </ul>
  );
}
