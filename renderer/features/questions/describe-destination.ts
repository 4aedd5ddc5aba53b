/** Describes the kinds of destinations in words. */
import type { Destination } from '../../../shared/model/question.ts';
import { t } from '../../text.tsx';

const labels: Record<string, string> = {
  email: t('mail address'),
  domain: t('everyone in this mail domain'),
  web: t('web address'),
  site: t('every page of this site'),
  account: t('account number'),
  phone: t('phone number'),
  number: t('long number'),
  user: t('recipient'),
  path: t('path'),
  place: t('place'),
};

/** Other kinds are names of arguments. */
export const kindLabel = (kind: Destination['kind']): string =>
  (Object.hasOwn(labels, kind) ? labels[kind] : kind) ?? kind;
