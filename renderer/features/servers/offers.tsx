/** A list of a server's prompts or resources. Only one entry is open at a time. */
import { ChevronRight, type LucideIcon, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OfferKind, PromptView } from '../../../shared/model/prompt.ts';
import { SearchInput } from '../../components/controls.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, HeldBox, Unloaded } from '../../components/states.tsx';
import { FoldableText, Quoted, TextList, VisibleText } from '../../components/untrusted-text.tsx';
import { hasWords, wordsOf } from '../../components/words.ts';
import type { ResourceState } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './offers.module.css';

/** Shorter lists need no filter. */
const minForFilter = 6;

const words = {
  prompts: {
    list: t('prompts'),
    loading: t('Loading prompts'),
    none: t('This server has no prompts.'),
    filter: t('Filter prompts'),
    filterAll: (count: number) => t('Filter {count, number} prompts', { count }),
  },
  resources: {
    list: t('resources'),
    loading: t('Loading resources'),
    none: t('This server has no resources.'),
    filter: t('Filter resources'),
    filterAll: (count: number) => t('Filter {count, number} resources', { count }),
  },
};

interface OfferListProps<T> {
  kind: keyof typeof words;
  lead: string;
  offers: ResourceState<T[]>;
  /** The text that the filter searches. */
  textOf(item: T): string;
  children(item: T): ReactNode;
}

export function OfferList<T>({ kind, lead, offers: { data: items, failure }, textOf, children }: OfferListProps<T>) {
  const [text, setText] = useState('');
  const { list, loading, none, filter, filterAll } = words[kind];
  if (!items) return <Unloaded failure={failure} label={loading} />;
  if (items.length === 0) return <p className="muted">{none}</p>;
  const typed = wordsOf(text);
  const shown = items.filter((item) => hasWords(textOf(item).toLowerCase(), typed));
  return (
    <div className="stack-close">
      <p className="muted">{lead}</p>
      {items.length >= minForFilter && (
        <search>
          <SearchInput label={filter} placeholder={filterAll(items.length)} value={text} onChange={setText} />
        </search>
      )}
      {shown.length === 0 ? (
        <Empty icon={SearchX} title={t('No matches')} />
      ) : (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={list}>
          {shown.map(children)}
        </ul>
      )}
    </div>
  );
}

interface OfferProps {
  icon: LucideIcon;
  title: string;
  /** The name or URI, shown if it differs from the title. */
  name: string;
  description: string | undefined;
  by: string;
  end: ReactNode;
  /** The reasons why agents do not get the entry until the user accepts it. */
  held: PromptView['held'];
  accepts: { kind: OfferKind; id: string };
  /** Whether the entry is open initially. */
  isOpen: boolean;
  children: ReactNode;
}

export function Offer({ icon: Icon, title, name, description, by, held, ...rest }: OfferProps) {
  const { accepts, isOpen: isOpenAtFirst, children } = rest;
  const end = held ? t('Held') : rest.end;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <details
        className={styles.offer}
        // untranslated: identifies the group of entries; not shown
        name={`offers of ${by}`}
        open={isOpenAtFirst}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className={`${rowsStyles.rowSummary} inset-focus`}>
          <Icon className="icon faint" aria-hidden />
          <span className={rowsStyles.rowMain}>
            <VisibleText as="span" className={rowsStyles.rowTitle} text={title} />
            <VisibleText
              as="span"
              className="ellipsis muted small"
              text={name !== title ? name : (description ?? '')}
            />
          </span>
          {end && <span className="muted small ellipsis">{end}</span>}
          <ChevronRight className={`icon faint ${styles.chevron}`} aria-hidden />
        </summary>
        {isOpen && (
          <div className={styles.body}>
            {description && (
              <Quoted by={t('Description by {by}', { by })}>
                <FoldableText text={description} />
              </Quoted>
            )}
            {held ? <HeldOffer server={by} {...accepts} title={title} {...held} /> : children}
          </div>
        )}
      </details>
    </li>
  );
}

interface HeldOfferProps {
  server: string;
  kind: OfferKind;
  id: string;
  title: string;
  findings: string[];
  fingerprint: string;
}

function HeldOffer({ server, kind, id, title, findings, fingerprint }: HeldOfferProps) {
  const { link, toasts } = useStores();
  return (
    <HeldBox
      message={t('Held: agents do not get it until you accept it.')}
      accept={t('Accept')}
      onAccept={() =>
        void toasts.attempt(
          () => link.call('offers.accept', { server, kind, id, fingerprint }),
          t('Accepted {name}.', { name: title }),
        )
      }
    >
      <p>{t('Its text may try to mislead agents. Read it before you accept it.')}</p>
      <TextList texts={findings} />
    </HeldBox>
  );
}
