/** The one thing to do next, above the content of a view. */
import styles from './next-step.module.css';

export function NextStep({ text, label, href }: { text: string; label: string; href: string }) {
  return (
    <p className={styles.next}>
      <span>{text}</span>
      <a className="button button-primary" href={href}>
        {label}
      </a>
    </p>
  );
}
