/** Summarizes the problems of the configuration in one title and one sentence. */
import type { CommandOutput } from '../../shared/protocol/contract.ts';
import { t } from '../text.tsx';

type Validation = CommandOutput<'config.validate'>;

export interface ConfigSummary {
  title: string;
  /** Which configuration is in effect. */
  effect: string;
}

/** Undefined if there are no problems. A client's file or a plug-in may have problems while the config file is valid. */
export function configSummary({ file, inEffect, problems }: Validation): ConfigSummary | undefined {
  if (problems.length === 0) return undefined;
  const isInvalid = problems.some((problem) => problem.code === 'CONFIG_INVALID' && problem.file === file);
  return isInvalid
    ? { title: t('The config file is invalid'), effect: effectOf(inEffect) }
    : {
        title: t('The configuration has {count, plural, one {# problem} other {# problems}}', {
          count: problems.length,
        }),
        effect: t('The rest of it is in effect.'),
      };
}

function effectOf(inEffect: Validation['inEffect']): string {
  if (inEffect === 'rules') return t('Its servers do not run, and its last valid rules apply.');
  if (inEffect === 'defaults') return t('Its servers do not run, and the defaults apply.');
  return t('Toolkeep still uses the last valid configuration.');
}
