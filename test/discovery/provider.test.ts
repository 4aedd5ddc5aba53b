/** The contract of a tool provider: sync or async, cached, shared, loud. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createProvider, type ProviderEvent } from '../../electron/core/discovery/provider.ts';
import { type DiscoveryPlugin, gateTools, type ProviderContext } from '../../electron/core/extension/plugin.ts';
import { tool } from './servers.ts';

type Provide = NonNullable<DiscoveryPlugin['provideTools']>;

const quiet = () => new AbortController().signal;
const context = (more: Partial<ProviderContext> = {}): ProviderContext => ({ iteration: 1, signal: quiet(), ...more });
const plugin = (provideTools: Provide, more: Partial<DiscoveryPlugin> = {}) => ({
  name: 'hub',
  provideTools,
  execute: (name: string) => ({ content: [{ type: 'text', text: name }] }),
  ...more,
});

describe('a provider', () => {
  it('that answers at once is never waited for (C1)', () => {
    const listed = createProvider(plugin(() => [tool('a')])).list(context());
    expect(listed).not.toBeInstanceOf(Promise);
    expect(listed).toEqual([tool('a')]);
  });

  it('that answers later is awaited (C1)', async () => {
    const listed = createProvider(plugin(async () => [tool('a')])).list(context());
    expect(listed).toBeInstanceOf(Promise);
    expect(await listed).toEqual([tool('a')]);
  });

  it('hears for whom and when it lists: turn, skill, identity, signal (C2)', async () => {
    let heard: ProviderContext | undefined;
    const provider = createProvider(
      plugin((given) => {
        heard = given;
        return [];
      }),
    );
    const identity = { tenant: 't', principal: 'p', conversationId: 'c' };
    await provider.list(context({ iteration: 7, activeSkillId: 's', identity }));
    expect(heard).toMatchObject({ iteration: 7, activeSkillId: 's', identity, signal: expect.any(AbortSignal) });
  });

  it('keeps what tenants, persons and skills see apart (C2)', async () => {
    const provider = createProvider(
      plugin(async ({ identity }) => [tool(identity?.tenant ?? 'nobody')], { ttlMs: 60_000 }),
    );
    const of = async (tenant: string) =>
      (await provider.list(context({ identity: { tenant, conversationId: 'c' } })))[0]?.name;
    expect([await of('red'), await of('blue'), await of('red')]).toEqual(['red', 'blue', 'red']);
  });

  it('is asked again once the time of its list is over (C3)', async () => {
    let asked = 0;
    let now = 0;
    const provider = createProvider(
      plugin(
        async () => {
          asked += 1;
          return [tool(`t${asked}`)];
        },
        { ttlMs: 1000 },
      ),
      { now: () => now },
    );
    const first = await provider.list(context());
    now = 999;
    expect(await provider.list(context())).toBe(first);
    now = 1000;
    expect((await provider.list(context()))[0]?.name).toBe('t2');
  });

  it('stops when the last one who waits has gone, not before (C3, C4)', async () => {
    let signal: AbortSignal | undefined;
    const provider = createProvider(
      plugin(({ signal: given }) => {
        signal = given;
        return new Promise(() => {});
      }),
    );
    const [one, other] = [new AbortController(), new AbortController()];
    const waits = [one, other].map(({ signal }) => provider.list(context({ signal })) as Promise<unknown>);
    one.abort();
    await expect(waits[0]).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    expect(signal?.aborted).toBe(false);
    other.abort();
    await expect(waits[1]).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    expect(signal?.aborted).toBe(true);
  });

  it('is asked once for all who ask at the same time (C4)', async () => {
    let asked = 0;
    const provider = createProvider(
      plugin(async () => {
        asked += 1;
        await delay(10);
        return [tool('a')];
      }),
    );
    const lists = await Promise.all(Array.from({ length: 20 }, () => provider.list(context())));
    expect(asked).toBe(1);
    expect(new Set(lists).size).toBe(1);
  });

  it('runs a tool of the list that was discovered, without listing again (C5)', async () => {
    let asked = 0;
    const provider = createProvider(
      plugin(async () => {
        asked += 1;
        return [tool('a')];
      }),
    );
    await provider.list(context());
    expect(await provider.execute('a', {}, context())).toEqual({ content: [{ type: 'text', text: 'a' }] });
    await expect(provider.execute('b', {}, context())).rejects.toMatchObject({ failure: { code: 'TOOL_NOT_FOUND' } });
    expect(asked).toBe(1);
  });

  it('tells of each listing with its duration, number of tools and its own name (C6)', async () => {
    const events: ProviderEvent[] = [];
    let fails = false;
    const provider = createProvider(
      plugin(async () => {
        if (fails) throw new Error('hub is down');
        return [tool('a'), tool('b')];
      }),
      { onEvent: (event) => events.push(event) },
    );
    await provider.list(context({ iteration: 3 }));
    fails = true;
    await expect(provider.list(context({ iteration: 4 }))).rejects.toThrow();
    const durationMs = expect.any(Number);
    expect(events).toEqual([
      { kind: 'discovery_started', providerId: 'hub', iteration: 3 },
      { kind: 'discovery_completed', providerId: 'hub', iteration: 3, durationMs, toolCount: 2 },
      { kind: 'discovery_started', providerId: 'hub', iteration: 4 },
      { kind: 'discovery_failed', providerId: 'hub', iteration: 4, durationMs, error: 'hub is down' },
    ]);
  });

  it('that fails is never an empty list: sync, async, late and of the wrong form (C7)', async () => {
    const failing: [Provide, RegExp][] = [
      [
        () => {
          throw new Error('at once');
        },
        /"hub" failed to list its tools: at once/,
      ],
      [
        async () => {
          throw new Error('later');
        },
        /"hub" failed to list its tools: later/,
      ],
      [() => new Promise(() => {}), /took longer than 20 ms/],
      [async () => 'tools' as never, /gave no list/],
    ];
    for (const [provide, message] of failing) {
      const provider = createProvider(plugin(provide, { timeoutMs: 20 }));
      await expect((async () => provider.list(context()))()).rejects.toMatchObject({
        failure: { code: 'PLUGIN_FAILED', message: expect.stringMatching(message) },
      });
    }
  });

  it.each([
    [undefined, 1, false],
    [{ attempts: 2, delayMs: 1 }, 3, true],
  ])('with the policy %j is asked %i times before its failure counts (C7)', async (retry, times, succeeds) => {
    let asked = 0;
    const provider = createProvider(
      plugin(
        async () => {
          asked += 1;
          if (asked < 3) throw new Error('hub unreachable');
          return [tool('a')];
        },
        { ...(retry && { retry }) },
      ),
    );
    const listed = Promise.resolve(provider.list(context())).then(
      () => true,
      () => false,
    );
    expect(await listed).toBe(succeeds);
    expect(asked).toBe(times);
  });

  it('whose list did not change gives the same list; of a changed one, the same unchanged tools (C8)', async () => {
    let tools = [tool('a'), tool('b')];
    const provider = createProvider(plugin(async () => structuredClone(tools)));
    const first = await provider.list(context());
    expect(await provider.list(context())).toBe(first);
    tools = [tool('a'), tool('b', { description: 'New.' })];
    const second = await provider.list(context());
    expect(second).not.toBe(first);
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
  });
});

describe('gates', () => {
  const hub = [tool('read'), tool('write'), tool('drop')];
  const not = (name: string) => (given: { name: string }) => given.name !== name;

  it('can be stacked, stay sync, and give the same list for the same verdicts (C8, C1)', () => {
    const gated = gateTools(
      gateTools(() => hub, not('drop')),
      not('write'),
    );
    const listed = gated(context());
    expect(listed).toEqual([hub[0]]);
    expect(gated(context())).toBe(listed);
    expect(
      gateTools(
        () => hub,
        () => true,
      )(context()),
    ).toBe(hub);
  });

  it('wait for a provider that answers later (C8)', async () => {
    const gated = gateTools(async () => hub, not('drop'));
    const listed = gated(context());
    expect(listed).toBeInstanceOf(Promise);
    expect((await listed).map(({ name }) => name)).toEqual(['read', 'write']);
  });
});
