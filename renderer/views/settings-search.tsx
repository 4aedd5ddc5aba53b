/** What an agent's search finds, and what it was taught: "this was the right tool". */
import { GraduationCap, Search, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SearchHit } from '../../shared/model.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox } from '../parts/states.tsx';
import { createResource, useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';

export function SearchSettings() {
  const { link, notices, status } = useStores();
  const model = useResource(status).data?.searchModel;
  const lessons = useMemo(() => createResource(link, () => link.call('search.aliases'), ['calls.recorded']), [link]);
  const { data, failure } = useResource(lessons);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; hits: SearchHit[] }>();

  async function search(text: string): Promise<void> {
    const hits = await notices.attempt(() => link.call('tools.search', { query: text, limit: 8 }));
    if (hits) setFound({ query: text, hits });
  }
  async function teach({ server, tool }: SearchHit): Promise<void> {
    if (!found) return;
    await notices.attempt(async () => {
      await link.call('search.teach', { query: found.query, server, tool });
      await Promise.all([lessons.load(), search(found.query)]);
    }, `“${found.query}” finds ${tool} first from now on.`);
  }
  return (
    <>
      <Section title="Try the search">
        <form
          className="search-try"
          onSubmit={(event) => {
            event.preventDefault();
            if (query.trim()) void search(query.trim());
          }}
        >
          <input
            className="input"
            type="search"
            aria-label="What an agent would look for"
            placeholder="For example: open a ticket"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <Button type="submit" icon={Search} disabled={query.trim() === ''}>
            Search
          </Button>
        </form>
        <div aria-live="polite">
          {found?.hits.length === 0 && <p className="muted">An agent finds nothing for “{found.query}”.</p>}
          {found && found.hits.length > 0 && (
            <ol className="rows rows-card">
              {found.hits.map((hit, index) => (
                <li key={`${hit.server}::${hit.tool}`} className="row row-still row-middle row-hit">
                  <span className="rule-number">{index + 1}</span>
                  <span className="row-main">
                    <span className="row-title">
                      <a href={hrefOf('tools', hit.server, hit.tool)}>
                        <VisibleText text={hit.tool} />
                      </a>
                      <span className="muted small">
                        on <VisibleText text={hit.server} />
                      </span>
                    </span>
                    <span className="row-sub">
                      <VisibleText text={hit.summary} />
                    </span>
                  </span>
                  <span className="relevance" title="Relevance">
                    {Math.round(hit.relevance * 100)} %
                  </span>
                  <Button
                    icon={GraduationCap}
                    aria-label={`${hit.tool} is the right tool`}
                    onClick={() => void teach(hit)}
                  >
                    This one is right
                  </Button>
                </li>
              ))}
            </ol>
          )}
        </div>
      </Section>
      {model && (
        <Section title="Model of meanings">
          {model.problem === undefined ? (
            <p className="muted">
              Search goes by words and by meaning, with the model in <code>{model.folder}</code>.
            </p>
          ) : (
            <>
              <p className="muted">Search goes by words alone. The model cannot be used:</p>
              <p className="table-problem">{model.problem}</p>
            </>
          )}
        </Section>
      )}
      <Section title="Learned">
        {failure && <FailureBox failure={failure} onRetry={() => void lessons.load()} />}
        {data?.length === 0 && (
          <p className="muted">
            Nothing yet. Gatehouse remembers which tool an agent ran right after a search, and what you mark as right.
          </p>
        )}
        {data && data.length > 0 && (
          <ul className="rows rows-card">
            {data.map((lesson) => (
              <li key={lesson.id} className="row row-still row-middle">
                <span className="row-main">
                  <span className="row-title">
                    <span>
                      “<VisibleText text={lesson.query} />”
                    </span>
                    <span className="muted">→</span>
                    <VisibleText text={`${lesson.server} / ${lesson.tool}`} />
                  </span>
                  <span className="row-wrap">
                    {lesson.taughtBy === 'person'
                      ? 'You said so'
                      : `Run right after the search, ${count(lesson.times, 'time')}`}
                  </span>
                </span>
                <IconButton
                  label={`Forget “${lesson.query}”`}
                  icon={X}
                  onClick={() =>
                    void notices.attempt(
                      () => link.call('search.forget', { id: lesson.id }).then(() => lessons.load()),
                      'Forgotten.',
                    )
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
