/** Shows the titles that the server gave to the ids among the arguments. */
import type { SeenTitle } from '../../../shared/model/question.ts';
import { moment } from '../../components/format.ts';
import { Quoted, VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';

export function ApprovalTitles({ titles, server }: { titles: readonly SeenTitle[]; server: string }) {
  if (titles.length === 0) return null;
  return (
    <Quoted by={t('{server} says', { server })}>
      {titles.map(({ id, title, tool, at }) => (
        <div key={id}>
          <p>
            <T
              text="{title} – seen in a result of “{tool}”, {time}"
              title={
                <q>
                  <VisibleText text={title} />
                </q>
              }
              tool={<VisibleText text={tool} />}
              time={moment(at)}
            />
          </p>
          <p className="mono muted small" translate="no">
            <VisibleText text={id} />
          </p>
        </div>
      ))}
    </Quoted>
  );
}
