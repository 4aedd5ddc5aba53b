/** A copy button, and a block of text with one. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../text.tsx';
import { Button, IconButton } from './button.tsx';
import styles from './copy-block.module.css';
import { ScrollRegion } from './scroll-region.tsx';
import { VisibleText } from './untrusted-text.tsx';

export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.copyBlock}>
      <ScrollRegion label={label}>
        <pre>{text}</pre>
      </ScrollRegion>
      <CopyButton text={text} label={t('Copy {label}', { label })} />
    </div>
  );
}

/** `label`: the accessible name, such as “Copy path”. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopy(text);
  return (
    <Button look="quiet" icon={isCopied ? Check : Copy} aria-label={isCopied ? t('Copied') : label} onClick={copy}>
      {isCopied ? t('Copied') : t('Copy')}
    </Button>
  );
}

/** A line of code in a list, with an icon that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopy(text);
  return (
    <span className={styles.copyable}>
      <VisibleText as="code" text={text} />
      <IconButton label={isCopied ? t('Copied') : label} icon={isCopied ? Check : Copy} onClick={copy} />
    </span>
  );
}

function useCopy(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, () => void copyText(text).then(() => setCopied(true))];
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the clipboard permission, fall back to execCommand.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
