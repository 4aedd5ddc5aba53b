/** Text to take along, with a button that copies it and says so. */

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { ScrollRegion } from './scroll-region.tsx';

export function CopyBlock({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div className="copy-block">
      <ScrollRegion label={label}>
        <pre>{text}</pre>
      </ScrollRegion>
      <Button
        look="quiet"
        icon={isCopied ? Check : Copy}
        aria-label={isCopied ? 'Copied' : `Copy ${label}`}
        onClick={() => void copy(text).then(() => setCopied(true))}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the permission the old way still works.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
