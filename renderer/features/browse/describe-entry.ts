/** Short descriptions of an entry: its needs and its age. */
import type { RegistryCard } from '../../../shared/model/registry.ts';
import { count } from '../../components/format.ts';

/** The name without its namespace. */
export const shortName = ({ name }: RegistryCard): string => name.replace(/^.*\//, '');

export function needsOf({ needs, options }: RegistryCard): string {
  if (options.every(({ refused }) => refused !== undefined)) return '';
  const wanted = [
    needs.runtime ? `Runs with ${needs.runtime}` : 'Remote',
    needs.secrets > 0 && count(needs.secrets, 'secret'),
    needs.files > 0 && count(needs.files, 'path'),
    needs.inputs > 0 && count(needs.inputs, 'setting'),
    needs.hosts && count(needs.hosts.length, 'host'),
  ];
  return wanted.filter(Boolean).join(' · ');
}

const days = 86_400_000;

export function age({ publishedAt }: RegistryCard): string {
  if (publishedAt === undefined) return '';
  const elapsed = Math.floor((Date.now() - publishedAt) / days);
  if (elapsed < 1) return 'published today';
  if (elapsed < 60) return `published ${count(elapsed, 'day')} ago`;
  return elapsed < 730
    ? `published ${count(Math.floor(elapsed / 30), 'month')} ago`
    : `published ${count(Math.floor(elapsed / 365), 'year')} ago`;
}
