/** Names that a server may not have, because its questions and tools would seem to be Toolkeep's or the user's own. */
import { editsBetween, skeletonOf } from './look-alike.ts';

const ours = 'toolkeep';

export function isReservedName(name: string): boolean {
  const plain = skeletonOf(name).replace(/\P{L}/gu, '');
  return plain === 'you' || plain.includes(ours) || editsBetween(plain, ours, 2) <= 2;
}
