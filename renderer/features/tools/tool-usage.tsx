/** The most used tools with the figures of their calls, shown until the user selects a tool. */
import { Blocks } from 'lucide-react';
import { useMemo } from 'react';
import { duration, number } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Empty } from '../../components/states.tsx';
import tableStyles from '../../components/table.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { createResource, useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';

const order = { sortBy: 'callCount', sortDirection: 'desc', includeDisabled: true, limit: 20 } as const;

export function ToolUsage() {
  const { link } = useStores();
  const used = useMemo(
    () => createResource(link, () => link.call('tools.list', order), ['calls.recorded', 'tools.changed']),
    [link],
  );
  const { data = [] } = useResource(used);
  const rows = data.flatMap(({ key, server, name, calls }) =>
    calls && calls.total > 0 ? [{ key, server, name, calls }] : [],
  );
  if (rows.length === 0)
    return (
      <Empty icon={Blocks} title={t('Select a tool')}>
        <p>
          <T
            text="Press <kbd>/</kbd> to search, <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open a tool."
            kbd={(text) => <kbd>{text}</kbd>}
          />
        </p>
      </Empty>
    );
  return (
    <Section title={t('Most used tools')}>
      <ScrollRegion className={tableStyles.tableScroll} label={t('Most used tools')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Tool')}</th>
              <th scope="col">{t('Server')}</th>
              {[t('Calls'), t('Failed'), t('Average')].map((name) => (
                <th key={name} scope="col" className={tableStyles.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, server, name, calls }) => (
              <tr key={key}>
                <th scope="row">
                  <a href={hrefOf('tools', server, name)}>
                    <VisibleText text={name} />
                  </a>
                </th>
                <td>
                  <VisibleText text={server} />
                </td>
                <td className={tableStyles.number}>{number(calls.total)}</td>
                <td className={tableStyles.number}>{number(calls.failed)}</td>
                <td className={tableStyles.number}>{duration(calls.averageMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}
