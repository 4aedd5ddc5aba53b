/** The labels of Core's enumerated values. */
import type { Phase } from '../../shared/model/server.ts';
import type { Category, SafetyLevel, ToolView } from '../../shared/model/tool.ts';
import { t } from '../text.tsx';

export const categoryLabels: Readonly<Record<Category, string>> = {
  'version-control': t('version control'),
  'file-system': t('file system'),
  api: t('API'),
  data: t('data'),
  authentication: t('authentication'),
  deployment: t('deployment'),
  general: t('general'),
};

export const safetyLabels: Readonly<Record<SafetyLevel, string>> = {
  safe: t('safe'),
  moderate: t('moderate'),
  dangerous: t('dangerous'),
};

export const complexityLabels: Readonly<Record<ToolView['complexity'], string>> = {
  simple: t('simple'),
  moderate: t('moderate'),
  complex: t('complex'),
};

export const phaseLabels: Readonly<Record<Phase, string>> = {
  configuration: t('configuration'),
  transport: t('transport'),
  session: t('session'),
  discovery: t('discovery'),
  registration: t('registration'),
};
