/** The labels of Core's enumerated values. */
import type { Phase } from '../../shared/model/server.ts';
import type { Category, Effect, SafetyLevel, ToolView } from '../../shared/model/tool.ts';
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

export const effectLabels: Readonly<Record<Effect, string>> = {
  reads: t('Read'),
  changes: t('Change'),
  sends: t('Send'),
  spends: t('Pay'),
  destroys: t('Delete'),
  overwrites: t('Overwrite'),
  'runs code': t('Run code'),
  'changes access': t('Change access'),
  'reveals secrets': t('Reveal secrets'),
  'goes live': t('Publish'),
  'moves things in the world': t('Move things'),
  misleads: t('Mislead'),
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
