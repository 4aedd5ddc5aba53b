/** The kept state is the one that its sources have now: each of them says that it has changed before it returns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEvents } from '../../../../electron/core/events.ts';
import { createGrants } from '../../../../electron/core/policy/grants.ts';
import { createKnownDestinations } from '../../../../electron/core/policy/known-destinations.ts';
import type { State } from '../../../../electron/core/policy/rows.ts';
import { createState } from '../../../../electron/core/policy/state.ts';
import { createPause } from '../../../../electron/core/servers/pause.ts';
import { annotate } from '../../../../electron/core/tools/assessment/annotate.ts';
import { openCatalog } from '../../../../electron/core/tools/catalog/catalog.ts';
import { openPins } from '../../../../electron/core/tools/pins.ts';
import { orderRules } from '../../../../electron/core/tools/rule-order.ts';
import type { Tool } from '../../../../shared/model/tool.ts';
import { memoryStore } from '../../../fixtures/host.ts';

const everything = (state: State) => ({
  ...state,
  servers: [...state.servers],
  tools: [...state.tools.ofServer('s')],
  one: state.tools.get('s', 'read'),
  profiles: [...state.profiles],
  known: [...state.known],
});

it('follows permissions, destinations, pins, the catalog and the pause', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const events = createEvents();
  const changed = () => events.emit('state.changed', {});
  const store = memoryStore();
  const servers = { isPaused: false, configs: () => [{ name: 's', enabled: true }] };
  const pins = await openPins(join(folder, 'pins.json'), changed);
  const catalog = await openCatalog(undefined, { ttlMs: () => 1_000, onChange: changed });
  const grants = createGrants(store, changed);
  const known = createKnownDestinations(store, () => [], changed);
  const pause = createPause(servers, events, store);
  onTestFinished(() => pause.close());
  const sources = {
    ...{ events, store, servers, catalog, pins, grants, known, configStore: { onChange: () => undefined } },
    rules: () => orderRules([], [], []),
    profiles: { list: () => store.get('profiles').map((profile) => ({ profile })) },
    config: () => ({ approvals: { ask: 'acts', mode: 'ask', destinations: 'known', reads: 'leaks' } as const }),
  };
  const state = createState(sources);
  function tool(description: string): Tool {
    const definition = { name: 'read', description, inputSchema: { type: 'object' } };
    const { annotations } = annotate(definition);
    return {
      ...{ key: 's::read', server: 's', name: 'read', shownName: 's-read', fingerprint: description, findings: [] },
      ...{ definition, annotations, category: 'general', complexity: 'simple', requiresAuth: false },
      ...{ isDeprecated: false, metadata: {} },
    };
  }
  const discovered = (tools: Tool[]) => ({ tools, prompts: [], resources: [], resourceTemplates: [], warnings: [] });
  const caller = { id: 'c', name: 'Cursor', identity: 'entry' };
  const call = {
    server: 's',
    tool: 'read',
    fingerprint: 'a',
    caller,
    arguments: {},
    choices: [],
    covers: 'tool' as const,
  };
  const mail = { kind: 'email', value: 'a@b.test' };
  const changes: [string, () => unknown][] = [
    ['a tool', () => catalog.replace('s', discovered([tool('a')]), 'h')],
    ['another definition', () => catalog.replace('s', discovered([tool('b')]), 'h')],
    ['an accepted pin', () => pins.put('s::read', { fingerprint: 'a', reviewed: true })],
    ['an accepted definition', () => pins.accept(tool('b'))],
    ['a permission', () => grants.add(call, 'always', [], 'any')],
    ['a permission of a session', () => grants.add(call, 'session', [], 'any')],
    ['a limited permission', () => grants.limit(grants.list()[0]?.id ?? '')],
    ['the end of a session', () => grants.onClientDisconnected('c')],
    ['a destination', () => known.add({ server: 's', caller }, [mail], 'always')],
    [
      'a destination of a session',
      () => known.add({ server: 's', caller }, [{ ...mail, value: 'c@b.test' }], 'session'),
    ],
    ['the end of a session with destinations', () => known.onClientDisconnected('c')],
    ['a profile', () => store.set('profiles', [{ name: 'p', servers: [], tags: [] }])],
    ['a pause', () => pause.set(true)],
    ['the end of a pause', () => pause.set(false)],
    ['a revoked permission', () => grants.revoke(grants.list()[0]?.id ?? '')],
    ['a removed server', () => catalog.remove('s')],
  ];
  for (const [what, change] of changes) {
    const before = everything(state());
    change();
    expect(everything(state()), what).not.toEqual(before);
    expect(everything(state()), what).toEqual(everything(createState(sources)()));
  }
});
