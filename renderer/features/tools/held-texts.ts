/** Says why a tool is held, on its page and in the question of an agent that tried to use it. */
import type { HeldReason } from '../../../shared/held-reason.ts';
import { t } from '../../text.tsx';

export const heldTexts: Record<HeldReason, { why: string; accept: string }> = {
  changed: {
    why: t('The server has changed this tool since you accepted it. Read the changes before you accept it again.'),
    accept: t('Accept changes'),
  },
  suspicious: {
    why: t('The definition of this tool may try to mislead agents. Read it before you accept the tool.'),
    accept: t('Accept tool'),
  },
  new: {
    why: t('The server added this tool after you accepted the server. Read its definition before you accept it.'),
    accept: t('Accept tool'),
  },
};
