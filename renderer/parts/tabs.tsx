/** The pages within a place, as links: the address leads back to them. */
import { hrefOf, type Place } from '../stores/route.ts';

export interface Tab {
  /** The part of the address after the place; empty for the first. */
  id: string;
  label: string;
}

export function Tabs({ place, tabs, chosen }: { place: Place; tabs: readonly Tab[]; chosen: string }) {
  return (
    <nav className="tabs" aria-label="Pages">
      {tabs.map(({ id, label }) => (
        <a key={id} href={hrefOf(place, ...(id ? [id] : []))} aria-current={id === chosen ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
