/** A named scrollable block that can take the focus, so that it can be scrolled by keyboard. */
import type { ReactNode } from 'react';

export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
