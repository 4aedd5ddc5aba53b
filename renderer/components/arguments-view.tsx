/** All arguments of a call, in full: nothing that the user approves is folded. */
import styles from './arguments-view.module.css';
import { FullText, VisibleText } from './untrusted-text.tsx';

export function ArgumentsView({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="muted">No arguments.</p>;
  return (
    <dl className={styles.arguments}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <VisibleText text={name} />
            {typeof value !== 'string' && <span className={styles.argumentType}>{typeName(value)}</span>}
          </dt>
          <dd>{value === '' ? <span className="muted">empty string</span> : <FullText text={readable(value)} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  return typeof value === 'object' ? 'object' : typeof value;
}

/** Strings are shown verbatim, everything else as indented JSON. */
function readable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
