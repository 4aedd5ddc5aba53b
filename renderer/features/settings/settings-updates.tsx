/** Update settings: whether the app looks for new versions, and the result of the last check. */
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { UpdateView } from '../../../shared/model/update.ts';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/controls.tsx';
import { moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { useSettings } from './use-settings.ts';

export function Updates() {
  const { update, link, toasts } = useStores();
  const { data: view } = useResource(update);
  const { data: settings, save } = useSettings();
  const [isBusy, setBusy] = useState(false);
  if (!view || !settings) return null;
  if (view.state === 'manual')
    return (
      <Section title="Updates">
        <p className="field-hint">This installation does not update itself. {view.how}</p>
      </Section>
    );

  async function check(): Promise<void> {
    setBusy(true);
    await toasts.attempt(() => link.call('updates.check'));
    setBusy(false);
  }
  return (
    <Section
      title="Updates"
      aside={
        view.state !== 'disabled' && (
          <Button icon={RefreshCw} busy={isBusy} onClick={() => void check()}>
            Check now
          </Button>
        )
      }
    >
      <Switch
        label="Look for new versions and install them"
        checked={settings.updates}
        onChange={(updates) => save({ updates })}
      />
      <p className="field-hint" role="status">
        {describe(view, settings.updates)}
      </p>
    </Section>
  );
}

function describe({ state, version, checkedAt, problem }: UpdateView, isWanted: boolean): string {
  switch (state) {
    case 'disabled':
      return isWanted ? 'Your administrator disabled updates.' : 'Gatehouse does not contact the update server.';
    case 'downloading':
      return `Version ${version} is being downloaded.`;
    case 'ready':
    case 'waiting':
      return `Version ${version} is ready. It is installed when Gatehouse restarts.`;
    case 'available':
      return `Version ${version} is available. Download the package to install it.`;
    default:
      if (problem !== undefined) return `The last check failed: ${problem}`;
      return checkedAt === undefined
        ? 'Gatehouse looks for a new version once a day.'
        : `You have the latest version. Checked ${moment(checkedAt)}.`;
  }
}
