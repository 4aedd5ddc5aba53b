/** The search box and the entries that match. */

import { useEffect, useState } from 'react';
import { entryTitle } from '../../../shared/entry-name.ts';
import type { RegistryCard } from '../../../shared/model/registry.ts';
import { Badge } from '../../components/badge.tsx';
import { SearchInput } from '../../components/controls.tsx';
import { dotted } from '../../components/format.ts';
import { Monogram } from '../../components/monogram.tsx';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './browse.module.css';
import { age, needsOf } from './describe-entry.ts';

interface EntryListProps {
  query: string;
  onQuery(query: string): void;
  /** Registry and name of the selected entry. */
  selected: string | undefined;
}

/** Milliseconds without typing before a search starts. */
const pauseMs = 80;

export function EntryList({ query, onQuery, selected }: EntryListProps) {
  const cards = useSearch(query);
  return (
    <>
      <search className={styles.search}>
        <SearchInput label={t('Search servers')} value={query} onChange={onQuery} />
      </search>
      {cards?.length === 0 && <p className={`${styles.none} muted`}>{t('No matching servers.')}</p>}
      <ul className={rowsStyles.rows} aria-label={t('Servers')}>
        {cards?.map((card) => (
          <li key={`${card.registry} ${card.name}`}>
            <EntryRow card={card} isSelected={selected === `${card.registry} ${card.name}`} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The entries for a query, kept while the next ones are loaded. */
function useSearch(query: string): readonly RegistryCard[] | undefined {
  const { link } = useStores();
  const [cards, setCards] = useState<readonly RegistryCard[]>();
  useEffect(() => {
    let isCurrent = true;
    const search = () =>
      void link
        .call('registry.search', { query, limit: 50 })
        .then((found) => isCurrent && setCards(found.cards))
        .catch(() => undefined);
    const timer = setTimeout(search, pauseMs);
    const unsubscribe = link.on('registry.changed', search);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [link, query]);
  return cards;
}

function EntryRow({ card, isSelected }: { card: RegistryCard; isSelected: boolean }) {
  const isImpossible = card.options.every(({ refused }) => refused !== undefined);
  const title = entryTitle(card);
  return (
    <a
      className={`${rowsStyles.row} inset-focus`}
      href={hrefOf('browse', card.registry, card.name)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Monogram name={title} />
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowLine}>
          <span className={rowsStyles.rowTitle}>
            <VisibleText text={title} />
            {card.installed && <Badge tone="good">{t('Installed')}</Badge>}
            {card.isDeprecated && <Badge tone="warn">{t('Deprecated')}</Badge>}
            {isImpossible && <Badge>{t('Not installable')}</Badge>}
          </span>
          <VisibleText as="span" className={rowsStyles.rowCount} text={card.version} />
        </span>
        <VisibleText as="span" className="ellipsis muted small mono" text={card.name} />
        <VisibleText as="span" className={styles.description} text={card.description} />
        <span className="ellipsis muted small">{dotted([needsOf(card), age(card)])}</span>
      </span>
    </a>
  );
}
