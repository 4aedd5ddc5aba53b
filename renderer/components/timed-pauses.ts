/** The pauses that end automatically. */
import { minutesToTomorrow } from '../../shared/tomorrow.ts';
import { t } from '../text.tsx';

export const timedPauses: readonly { label: string; minutes(): number }[] = [
  { label: t('Pause for 15 minutes'), minutes: () => 15 },
  { label: t('Pause for 1 hour'), minutes: () => 60 },
  { label: t('Pause until tomorrow'), minutes: () => minutesToTomorrow() },
];
