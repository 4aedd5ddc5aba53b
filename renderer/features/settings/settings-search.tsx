/** Tries the search that agents use, and lists search feedback: which tool was right for which query. */
import { GraduationCap, Search, X } from 'lucide-react';
import { useState } from 'react';
import type { SearchFeedback } from '../../../shared/model/search.ts';
import type { SearchHit } from '../../../shared/model/tool.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import rulesStyles from '../rules/rules.module.css';
import settingsStyles from './settings.module.css';

export function SearchSettings() {
  const { link, toasts } = useStores();
  const { data, failure, load } = useCommand('search.feedback.list', ['calls.recorded']);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; hits: SearchHit[] }>();

  async function search(text: string): Promise<void> {
    const hits = await toasts.attempt(() => link.call('tools.search', { query: text, limit: 8 }));
    if (hits) setFound({ query: text, hits });
  }
  async function addFeedback({ server, tool }: SearchHit): Promise<void> {
    if (!found) return;
    await toasts.attempt(
      async () => {
        await link.call('search.feedback.add', { query: found.query, server, tool });
        await Promise.all([load(), search(found.query)]);
      },
      t('“{query}” now finds {tool} first.', { query: found.query, tool }),
    );
  }
  return (
    <>
      <Section title={t('Try the search')}>
        <Form className={settingsStyles.searchTry} onSubmit={() => query.trim() && search(query.trim())}>
          <input
            className="input"
            type="search"
            aria-label={t('What an agent would look for')}
            placeholder={t('For example: open a ticket')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <Button type="submit" icon={Search} disabled={query.trim() === ''}>
            {t('Search')}
          </Button>
        </Form>
        <div aria-live="polite">
          {found?.hits.length === 0 && (
            <p className="muted">{t('No results for “{query}”.', { query: found.query })}</p>
          )}
          {found && found.hits.length > 0 && (
            <ol className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
              {found.hits.map((hit, index) => (
                <HitRow
                  key={toolKey(hit.server, hit.tool)}
                  hit={hit}
                  query={found.query}
                  rank={index + 1}
                  onMarkRight={() => void addFeedback(hit)}
                />
              ))}
            </ol>
          )}
        </div>
      </Section>
      <Section title={t('Search feedback')}>
        {failure && <FailureBox failure={failure} onRetry={() => void load()} />}
        {data?.length === 0 && (
          <p className="muted">
            {t(
              'None yet. Toolkeep records which tool an agent runs after a search, and which tools you mark as right.',
            )}
          </p>
        )}
        {data && data.length > 0 && (
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
            {data.map((entry) => (
              <FeedbackRow
                key={entry.id}
                entry={entry}
                onRemove={() =>
                  void toasts.attempt(
                    () => link.call('search.feedback.remove', { id: entry.id }).then(load),
                    t('Feedback removed.'),
                  )
                }
              />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

interface HitRowProps {
  hit: SearchHit;
  /** The query that found it. */
  query: string;
  rank: number;
  onMarkRight(): void;
}

function HitRow({ hit, query, rank, onMarkRight }: HitRowProps) {
  return (
    <li className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle} ${rowsStyles.rowHit}`}>
      <span className={rulesStyles.ruleNumber}>{rank}</span>
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          <a href={hrefOf('tools', hit.server, hit.tool)}>
            <VisibleText text={hit.tool} />
          </a>
          <span className="muted small">
            <T text="on {server}" server={<VisibleText text={hit.server} />} />
          </span>
        </span>
        <VisibleText as="span" className="ellipsis muted small" text={hit.summary} />
      </span>
      <span className={rowsStyles.rowCount} title={t('Relevance')}>
        {Math.round(hit.relevance * 100)} %
      </span>
      <Button
        icon={GraduationCap}
        aria-label={t('{tool} is the right tool for “{query}”', { tool: hit.tool, query })}
        onClick={onMarkRight}
      >
        {t('Right tool')}
      </Button>
    </li>
  );
}

function FeedbackRow({ entry, onRemove }: { entry: SearchFeedback; onRemove(): void }) {
  return (
    <li className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          <span>
            “<VisibleText text={entry.query} />”
          </span>
          <span className="muted">→</span>
          <VisibleText text={`${entry.server} / ${entry.tool}`} />
        </span>
        <span className="muted small">
          {entry.source === 'user'
            ? t('Marked by you')
            : t('{count, plural, one {Run once after the search} other {Run # times after the search}}', {
                count: entry.times,
              })}
        </span>
      </span>
      <IconButton label={t('Remove the feedback for “{query}”', { query: entry.query })} icon={X} onClick={onRemove} />
    </li>
  );
}
