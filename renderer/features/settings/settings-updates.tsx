/** Update settings: whether the app looks for new versions, and the result of the last check. */
import { RefreshCw } from 'lucide-react';
import type { UpdateView } from '../../../shared/model/update.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Switch } from '../../components/controls.tsx';
import { moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { useSettings } from './use-settings.ts';

export function Updates() {
  const { update, link } = useStores();
  const { data: view } = useResource(update);
  const { data: settings, save } = useSettings();
  if (!view || !settings) return null;
  if (view.state === 'manual')
    return (
      <Section title={t('Updates')}>
        <p className="field-hint">{t('This installation does not update itself. {how}', { how: view.how ?? '' })}</p>
      </Section>
    );
  return (
    <Section
      title={t('Updates')}
      aside={
        view.state !== 'disabled' && (
          <ActionButton icon={RefreshCw} run={() => link.call('updates.check')}>
            {t('Check now')}
          </ActionButton>
        )
      }
    >
      <Switch
        label={t('Look for new versions and install them')}
        checked={settings.updates}
        onChange={(updates) => save({ updates })}
      />
      <p className="field-hint" role="status">
        {describe(view, settings.updates)}
      </p>
    </Section>
  );
}

function describe({ state, version = '', checkedAt, problem }: UpdateView, isWanted: boolean): string {
  switch (state) {
    case 'disabled':
      return isWanted ? t('Your administrator disabled updates.') : t('Toolkeep does not contact the update server.');
    case 'downloading':
      return t('Version {version} is being downloaded.', { version });
    case 'ready':
    case 'waiting':
      return t('Version {version} is ready. It will be installed when Toolkeep restarts.', { version });
    case 'available':
      return t('Version {version} is available. Download the package to install it.', { version });
    default:
      if (problem !== undefined) return t('The last check failed: {problem}', { problem });
      return checkedAt === undefined
        ? t('Toolkeep looks for a new version once a day.')
        : t('You have the latest version. Checked {time}.', { time: moment(checkedAt) });
  }
}
