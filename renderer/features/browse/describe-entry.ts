/** Short descriptions of an entry: its needs and its age. */
import type { RegistryCard } from '../../../shared/model/registry.ts';
import { dotted } from '../../components/format.ts';
import { t } from '../../text.tsx';

export function needsOf({ needs, options }: RegistryCard): string {
  if (options.every(({ refused }) => refused !== undefined)) return '';
  const wanted = [
    needs.runtime ? t('Runs with {runtime}', { runtime: needs.runtime }) : t('Remote'),
    needs.secrets > 0 && t('{count, plural, one {# secret} other {# secrets}}', { count: needs.secrets }),
    needs.files > 0 && t('{count, plural, one {# path} other {# paths}}', { count: needs.files }),
    needs.inputs > 0 && t('{count, plural, one {# setting} other {# settings}}', { count: needs.inputs }),
    needs.hosts && t('{count, plural, one {# host} other {# hosts}}', { count: needs.hosts.length }),
  ];
  return dotted(wanted);
}

const days = 86_400_000;

export function age({ publishedAt }: RegistryCard): string {
  if (publishedAt === undefined) return '';
  const elapsed = Math.floor((Date.now() - publishedAt) / days);
  if (elapsed < 1) return t('published today');
  if (elapsed < 60) return t('published {count, plural, one {# day} other {# days}} ago', { count: elapsed });
  return elapsed < 730
    ? t('published {count, plural, one {# month} other {# months}} ago', { count: Math.floor(elapsed / 30) })
    : t('published {count, plural, one {# year} other {# years}} ago', { count: Math.floor(elapsed / 365) });
}
