/** The display name of a client. */
import { userName } from '../../shared/model/call.ts';
import { t } from '../text.tsx';

export function clientNameIn(names: Readonly<Record<string, string>> | undefined, name: string): string {
  if (name === userName) return t('You');
  return names && Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}
