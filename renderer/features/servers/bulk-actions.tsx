/** Actions for all servers that match the filter; enabling and disabling have Undo. */
import { ListChecks, Power, PowerOff, RotateCw, Tags } from 'lucide-react';
import { useState } from 'react';
import type { ServerView } from '../../../shared/model/server.ts';
import { count } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { useStores } from '../../stores/stores.ts';
import { TagDialog } from './tag-dialog.tsx';

export function BulkActions({ shown }: { shown: readonly ServerView[] }) {
  const { link, toasts } = useStores();
  const [tagged, setTagged] = useState<readonly ServerView[]>();
  const label = count(shown.length, 'server');

  async function setEnabled(enabled: boolean): Promise<void> {
    const changed = shown.filter(({ status }) => (status === 'disabled') === enabled).map(({ id }) => id);
    const set = async (value: boolean) => {
      for (const server of changed) await link.call('servers.setEnabled', { server, enabled: value });
      return true;
    };
    if (!(await toasts.attempt(() => set(enabled)))) return;
    const run = () => void toasts.attempt(() => set(!enabled), `Restored ${count(changed.length, 'server')}.`);
    toasts.success(`${count(changed.length, 'server')} ${enabled ? 'enabled' : 'disabled'}.`, {
      ...(changed.length > 0 && { action: { label: 'Undo', run } }),
    });
  }
  async function restart(): Promise<void> {
    const enabled = shown.filter(({ status }) => status !== 'disabled');
    const views = await toasts.attempt(() =>
      Promise.all(enabled.map(({ id }) => link.call('servers.restart', { server: id }))),
    );
    if (!views) return;
    const ready = views.filter(({ status }) => status === 'ready').length;
    toasts.success(`${ready} of ${count(views.length, 'server')} running.`);
  }
  return (
    <>
      <Menu
        label={`All ${label}`}
        text={`All ${shown.length.toLocaleString('en')}`}
        icon={ListChecks}
        items={[
          { label: `Enable ${label}`, icon: Power, onSelect: () => void setEnabled(true) },
          { label: `Disable ${label}`, icon: PowerOff, onSelect: () => void setEnabled(false) },
          { label: `Restart ${label}`, icon: RotateCw, onSelect: () => void restart() },
          { label: `Tag ${label}…`, icon: Tags, onSelect: () => setTagged(shown) },
        ]}
      />
      {tagged && <TagDialog servers={tagged} onClose={() => setTagged(undefined)} />}
    </>
  );
}
