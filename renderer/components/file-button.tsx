/** A button with which the user of a page chooses a file. It is busy until `onFile` is done. */
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps {
  /** Names the hidden input. */
  label: string;
  /** File extensions with their dots, separated by commas. */
  accept: string | undefined;
  icon: LucideIcon;
  children: ReactNode;
  /** Must not reject. */
  onFile(file: File): Promise<unknown>;
}

export function FileButton({ label, accept, icon, children, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    setBusy(true);
    await onFile(file);
    setBusy(false);
  }
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button icon={icon} busy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
