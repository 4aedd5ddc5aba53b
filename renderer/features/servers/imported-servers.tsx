/** How servers start after an import, and how to fix those that fail. */
import { ArrowRight } from 'lucide-react';
import type { ServerView } from '../../../shared/model/server.ts';
import { dotted } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { StartedServers, useStartProblems } from './started-servers.tsx';

export function ImportedServers({ names }: { names: readonly string[] }) {
  const { servers } = useStores();
  const imported = useResource(servers).data?.filter(({ id }) => names.includes(id)) ?? [];
  const problems = useStartProblems().filter(({ server }) => names.includes(server));
  const broken = new Set(problems.map(({ server }) => server));
  const others = imported.filter(({ id }) => !broken.has(id));
  return (
    <Section
      title={t('{count, plural, one {# server} other {# servers}} imported', { count: names.length })}
      aside={
        <a className="button button-plain" href={hrefOf('servers')}>
          {t('All servers')}
          <ArrowRight className="icon" aria-hidden />
        </a>
      }
    >
      <p role="status">{summary(others, problems.length)}</p>
      <StartedServers problems={problems} servers={others} label={t('Imported servers')} />
    </Section>
  );
}

function summary(working: readonly ServerView[], problems: number): string {
  const starting = working.filter(({ status, discovering }) => status === 'starting' || discovering).length;
  const ready = working.filter(({ toolCount }) => toolCount > 0).length;
  return dotted([
    t('{count, number} ready', { count: ready }),
    starting > 0 && t('{count, number} starting', { count: starting }),
    problems > 0 && t('{count, plural, one {# needs} other {# need}} attention', { count: problems }),
  ]);
}
