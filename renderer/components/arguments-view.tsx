/** All arguments of a call, in full: nothing that the user approves is folded. */

import { t } from '../text.tsx';
import styles from './arguments-view.module.css';
import { FullText, VisibleText } from './untrusted-text.tsx';

export function ArgumentsView({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="muted">{t('No arguments.')}</p>;
  return (
    <dl className={styles.arguments}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <VisibleText text={name} />
            {typeof value !== 'string' && <span className={styles.argumentType}>{typeName(value)}</span>}
          </dt>
          <dd>
            {value === '' ? <span className="muted">{t('empty string')}</span> : <FullText text={readable(value)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const typeNames: Readonly<Record<string, string>> = {
  null: t('null'),
  object: t('object'),
  number: t('number'),
  boolean: t('boolean'),
};

function typeName(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 1 ? t('1 item') : t('{count, number} items', { count: value.length });
  return typeNames[value === null ? 'null' : typeof value] ?? typeof value;
}

/** Strings are shown verbatim, everything else as indented JSON. */
function readable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
