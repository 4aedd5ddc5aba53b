/** Says in the user's language what a change was. */
import { changeText } from '../../../shared/change-text.ts';
import type { ChangeItem } from '../../../shared/model/change.ts';
import { useClientName } from '../../components/client-name.tsx';
import { t } from '../../text.tsx';

export function useChangeText(): (item: ChangeItem) => string {
  const nameOf = useClientName();
  return (item) => changeText(item, { t, nameOf });
}
