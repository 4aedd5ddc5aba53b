/** Actions for all servers that match the filter; enabling and disabling can be undone. */
import { ListChecks, Power, PowerOff, RotateCw, Tags } from 'lucide-react';
import { useState } from 'react';
import type { ServerView } from '../../../shared/model/server.ts';
import { Menu } from '../../components/menu.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { TagDialog } from './tag-dialog.tsx';

export function BulkActions({ shown }: { shown: readonly ServerView[] }) {
  const { link, toasts } = useStores();
  const [tagged, setTagged] = useState<readonly ServerView[]>();
  const count = shown.length;

  async function setEnabled(enabled: boolean): Promise<void> {
    const changed = shown.filter(({ status }) => (status === 'disabled') === enabled).map(({ id }) => id);
    const set = async (value: boolean) => {
      for (const server of changed) await link.call('servers.setEnabled', { server, enabled: value });
      return true;
    };
    if (!(await toasts.attempt(() => set(enabled)))) return;
    const done = enabled
      ? t('{count, plural, one {# server} other {# servers}} enabled.', { count: changed.length })
      : t('{count, plural, one {# server} other {# servers}} disabled.', { count: changed.length });
    const undone = t('Restored {count, plural, one {# server} other {# servers}}.', { count: changed.length });
    if (changed.length > 0) toasts.undoable(done, () => set(!enabled), undone);
    else toasts.success(done);
  }
  async function restart(): Promise<void> {
    const enabled = shown.filter(({ status }) => status !== 'disabled');
    const views = await toasts.attempt(() =>
      Promise.all(enabled.map(({ id }) => link.call('servers.restart', { server: id }))),
    );
    if (!views) return;
    const ready = views.filter(({ status }) => status === 'ready').length;
    toasts.success(
      t('{ready, number} of {count, plural, one {# server} other {# servers}} running.', {
        ready,
        count: views.length,
      }),
    );
  }
  return (
    <>
      <Menu
        label={t('Change all {count, plural, one {# server} other {# servers}}', { count })}
        text={t('Change all {count, number}', { count })}
        icon={ListChecks}
        items={[
          {
            label: t('Enable {count, plural, one {# server} other {# servers}}', { count }),
            icon: Power,
            onSelect: () => void setEnabled(true),
          },
          {
            label: t('Disable {count, plural, one {# server} other {# servers}}', { count }),
            icon: PowerOff,
            onSelect: () => void setEnabled(false),
          },
          {
            label: t('Restart {count, plural, one {# server} other {# servers}}', { count }),
            icon: RotateCw,
            onSelect: () => void restart(),
          },
          {
            label: t('Tag {count, plural, one {# server} other {# servers}}…', { count }),
            icon: Tags,
            onSelect: () => setTagged(shown),
          },
        ]}
      />
      {tagged && <TagDialog servers={tagged} onClose={() => setTagged(undefined)} />}
    </>
  );
}
