/** The labels of the tool list's filters. */
import type { ToolFilters } from '../../stores/tools.ts';
import { t } from '../../text.tsx';

/** The annotations, in both directions. */
export const behaviorLabels: Readonly<Record<Exclude<ToolFilters['behavior'], ''>, string>> = {
  readOnly: t('Read-only'),
  'not-readOnly': t('Not read-only'),
  destructive: t('Destructive'),
  'not-destructive': t('Not destructive'),
  idempotent: t('Idempotent'),
  'not-idempotent': t('Not idempotent'),
  openWorld: t('Open world'),
  'not-openWorld': t('Not open world'),
  requiresConfirmation: t('Requires approval'),
  'not-requiresConfirmation': t('Does not require approval'),
};

export const stateLabels: Readonly<Record<Exclude<ToolFilters['state'], ''>, string>> = {
  available: t('Available now'),
  enabled: t('Enabled'),
  disabled: t('Disabled'),
  held: t('Held'),
  flagged: t('Suspicious'),
};
