/** The part of the sample Core for the list of changes. */
import { fail } from '../../../shared/failure.ts';
import type { ChangeItem, ChangeView } from '../../../shared/model/change.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';

interface Given {
  isEmpty: boolean;
  now: number;
  emit: SampleCore['emit'];
  clients: Pick<CommandHandlers, 'install.removeAll' | 'install.undo'>;
}

export function createSampleChanges({ isEmpty, now, emit, clients }: Given) {
  let changes = isEmpty ? [] : sampleChanges(now);
  return {
    'changes.list': () => structuredClone(changes),
    'install.removeAll': async (input) => {
      const done = await clients['install.removeAll'](input);
      const items = done.removed.map((client): ChangeItem => ({ ...fileItem(client, client), kind: 'removed' }));
      changes = [{ ...base, id: 'removal', at: now, mayWiden: true, items }, ...changes];
      return done;
    },
    'changes.undo': async ({ id }) => {
      const undone = changes.find((change) => change.id === id && change.undo === 'ready');
      if (!undone) throw fail('INPUT_INVALID', 'It has changed since, so it cannot be undone.');
      undone.undo = 'done';
      for (const { subject, key } of undone.items)
        if (subject === 'clientFiles') await clients['install.undo']({ client: key });
      const items = undone.items.map(
        ({ before, after, ...item }): ChangeItem => ({
          ...item,
          before: after,
          after: before,
          kind: opposite[item.kind],
        }),
      );
      changes = [{ ...undone, id: `${id}-undo`, at: now, by: 'window', items, undoes: id, undo: 'ready' }, ...changes];
      emit('changes.changed', {});
    },
  } satisfies Partial<CommandHandlers>;
}

const opposite = { added: 'removed', removed: 'added', changed: 'changed' } as const;
const minute = 60_000;
const base = { by: 'window', omitted: 0, undo: 'ready', mayWiden: false } as const;

const fileItem = (key: string, name: string): ChangeItem => ({
  ...{ subject: 'clientFiles', key, name, kind: 'added', isKept: false },
});

function sampleChanges(now: number): ChangeView[] {
  const grant = { server: 'github', client: 'claude-ai', covers: 'acts', scope: 'always' };
  const tool = (name: string): ChangeItem => ({
    ...{ subject: 'overrides', key: `github::${name}`, name: `github/${name}`, server: 'github', kind: 'added' },
    ...{ after: { server: 'github', tool: name, enabled: false }, isKept: true },
  });
  return [
    {
      ...{ ...base, id: 'c1', at: now - 3 * minute, by: 'question' },
      items: [
        { subject: 'grants', key: 'g1', name: 'github', server: 'github', kind: 'added', after: grant, isKept: true },
      ],
    },
    { ...base, id: 'c2', at: now - 12 * minute, mayWiden: true, items: [tool('delete_repository')] },
    {
      ...{ ...base, id: 'c3', at: now - 40 * minute, by: 'terminal', mayWiden: true },
      items: [
        {
          subject: 'disabledServers',
          key: 'sentry',
          name: 'sentry',
          server: 'sentry',
          kind: 'added',
          after: true,
          isKept: true,
        },
      ],
    },
    {
      ...{ ...base, id: 'c4', at: now - 1_500 * minute, mayWiden: true },
      items: [fileItem('cursor', 'Cursor')],
    },
    {
      ...{ ...base, id: 'c5', at: now - 1_520 * minute, by: 'setup', undo: 'changed' },
      items: ['filesystem', 'github', 'memory', 'postgres', 'sentry'].map((name) => ({
        ...{ subject: 'servers', key: name, name, server: name, kind: 'added', isKept: false },
      })),
    },
    {
      ...{ ...base, id: 'c6', at: now - 1_530 * minute, undo: 'none' },
      items: [{ subject: 'clientTokens', key: 't1', name: 'n8n', kind: 'added', isKept: false }],
    },
  ];
}
