/** The contract of a tool provider: synchronous or asynchronous lists, caching, sharing, failures. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type DiscoveryPlugin,
  gatedTools,
  type ProviderContext,
  skillScopedTools,
  staticTools,
} from '../../../electron/core/plugins/plugin-api.ts';
import type { ProviderEvent } from '../../../electron/core/plugins/provider-listing.ts';
import { createProvider } from '../../../electron/core/plugins/tool-provider.ts';
import { tool } from '../../fixtures/discovery-servers.ts';

type Provide = NonNullable<DiscoveryPlugin['provideTools']>;

const quiet = () => new AbortController().signal;
const context = (more: Partial<ProviderContext> = {}): ProviderContext => ({ iteration: 1, signal: quiet(), ...more });
const plugin = (provideTools: Provide, more: Partial<DiscoveryPlugin> = {}) => ({
  name: 'hub',
  provideTools,
  execute: (name: string) => ({ content: [{ type: 'text', text: name }] }),
  ...more,
});

describe('A provider', () => {
  it('that returns a list synchronously is not awaited', () => {
    const listed = createProvider(plugin(() => [tool('a')])).list(context());
    expect(listed).not.toBeInstanceOf(Promise);
    expect(listed).toEqual([tool('a')]);
  });

  it('that returns a promise is awaited', async () => {
    const listed = createProvider(plugin(async () => [tool('a')])).list(context());
    expect(listed).toBeInstanceOf(Promise);
    expect(await listed).toEqual([tool('a')]);
  });

  it('receives the iteration, skill, identity and signal', async () => {
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

  it('caches lists separately for tenants, users and skills', async () => {
    const provider = createProvider(
      plugin(async ({ identity }) => [tool(identity?.tenant ?? 'nobody')], { ttlMs: 60_000 }),
    );
    const of = async (tenant: string) =>
      (await provider.list(context({ identity: { tenant, conversationId: 'c' } })))[0]?.name;
    expect([await of('red'), await of('blue'), await of('red')]).toEqual(['red', 'blue', 'red']);
  });

  it('is called again when its cached list has expired', async () => {
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

  it('is cancelled when the last waiting caller cancels, not before', async () => {
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

  it('is called once for concurrent callers', async () => {
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

  it('runs a tool of the discovered list without listing again', async () => {
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

  it('emits each listing with its duration, number of tools and provider', async () => {
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

  it('never returns an empty list for a failure: synchronous, asynchronous, timed out or malformed', async () => {
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
      [async () => 'tools' as never, /returned no list/],
    ];
    for (const [provide, message] of failing) {
      const provider = createProvider(plugin(provide, { timeoutMs: 20 }));
      await expect((async () => provider.list(context()))()).rejects.toMatchObject({
        failure: { code: 'PLUGIN_FAILED', message: expect.stringMatching(message) },
      });
    }
  });

  /** A hub that fails with each error in turn, and then lists a tool. */
  const failingWith = (errors: unknown[], reliability?: DiscoveryPlugin['reliability']) => {
    const events: ProviderEvent[] = [];
    const left = [...errors];
    const provide = async () => {
      if (left.length > 0) throw left.shift();
      return [tool('a')];
    };
    const provider = createProvider(plugin(provide, { reliability }), { onEvent: (event) => events.push(event) });
    const failures = () => events.flatMap((event) => (event.kind === 'discovery_failed' ? (event.rule ?? 'none') : []));
    return { provider, failures };
  };
  const unreachable = () =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  const refused = () => Object.assign(new Error('no'), { status: 403 });
  const rules: DiscoveryPlugin['reliability'] = [
    { when: ({ error }) => error.name === 'AbortError', then: 'fail-fast', kind: 'cancelled' },
    {
      when: ({ error, attempt }) => error.code === 'ECONNREFUSED' && attempt < 3,
      then: 'retry',
      kind: 'transient',
      delayMs: 1,
    },
    { when: ({ error }) => error.code === '403', then: 'fail-fast', kind: 'refused' },
  ];

  it('fails at once without reliability rules', async () => {
    const { provider, failures } = failingWith([unreachable()]);
    await expect(provider.list(context())).rejects.toMatchObject({ failure: { code: 'PLUGIN_FAILED' } });
    expect(failures()).toEqual(['none']);
  });

  it('fails if an error is an object whose fields cannot be converted to text', async () => {
    const odd = { toString: 1, toJSON: 1 };
    const { provider, failures } = failingWith([{ name: odd, message: odd, code: odd }], rules);
    await expect(provider.list(context())).rejects.toMatchObject({ failure: { code: 'PLUGIN_FAILED' } });
    expect(failures()).toEqual(['none']);
  });

  it('retries errors that its rules call transient, and no refusals', async () => {
    const recovering = failingWith([unreachable(), unreachable()], rules);
    expect(await recovering.provider.list(context())).toEqual([tool('a')]);
    expect(recovering.failures()).toEqual(['transient', 'transient']);
    const gone = failingWith([unreachable(), unreachable(), unreachable()], rules);
    await expect(gone.provider.list(context())).rejects.toThrow('fetch failed');
    expect(gone.failures()).toEqual(['transient', 'transient', 'none']);
    const forbidden = failingWith([refused()], rules);
    await expect(forbidden.provider.list(context())).rejects.toThrow('no');
    expect(forbidden.failures()).toEqual(['refused']);
  });

  it('passes an error to its rules after a cancellation and after a timeout', async () => {
    const heard: string[] = [];
    const hung = (timeoutMs: number) => {
      const ended = Promise.withResolvers<void>();
      const when = ({ error }: { error: { name: string } }) => {
        heard.push(error.name);
        ended.resolve();
        return false;
      };
      const options = { timeoutMs, reliability: [{ when, then: 'retry' as const }] };
      return { provider: createProvider(plugin(() => new Promise(() => {}), options)), ended: ended.promise };
    };
    const leaving = new AbortController();
    const { provider, ended } = hung(60_000);
    const listed = provider.list(context({ signal: leaving.signal }));
    leaving.abort();
    await expect(listed).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    await ended;
    await expect(hung(10).provider.list(context())).rejects.toThrow('took longer than 10 ms');
    expect(heard).toEqual(['AbortError', 'TimeoutError']);
  });

  it('uses its last list if a rule says so, and fails without one', async () => {
    let isDown = true;
    const provide = async () => {
      if (isDown) throw unreachable();
      return [tool('a')];
    };
    const reliability = [{ when: () => true, then: 'fallback' as const, kind: 'hub-unreachable' }];
    const provider = createProvider(plugin(provide, { reliability }));
    await expect(provider.list(context())).rejects.toThrow('fetch failed');
    isDown = false;
    const listed = await provider.list(context());
    isDown = true;
    expect(await provider.list(context())).toBe(listed);
  });

  it('returns the same array for an unchanged list, and the same objects for unchanged tools', async () => {
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

describe('Static tools', () => {
  it('are always the same array, returned synchronously', () => {
    const tools = [tool('a')];
    const provide = staticTools(tools);
    expect([provide(context()), provide(context())]).toEqual([tools, tools]);
    expect(provide(context())).toBe(tools);
  });
});

describe('Tools of skills', () => {
  const always = staticTools([tool('help')]);
  const names = async (listed: ReturnType<Provide>) => (await listed).map(({ name }) => name);

  it('are listed while their skill is active, in addition to those that are always listed', async () => {
    const provide = skillScopedTools(
      { billing: staticTools([tool('refund')]), mail: async () => [tool('send')] },
      always,
    );
    expect(await names(provide(context()))).toEqual(['help']);
    expect(await names(provide(context({ activeSkillId: 'billing' })))).toEqual(['help', 'refund']);
    expect(await names(provide(context({ activeSkillId: 'mail' })))).toEqual(['help', 'send']);
    expect(await names(provide(context({ activeSkillId: 'toString' })))).toEqual(['help']);
  });

  it('stay synchronous and the same array while nothing changes', () => {
    const provide = skillScopedTools({ billing: staticTools([tool('refund')]) }, always);
    const active = context({ activeSkillId: 'billing' });
    expect(provide(active)).toBe(provide(active));
  });
});

describe('Gated providers', () => {
  const hub = [tool('read'), tool('write'), tool('drop')];
  const not = (name: string) => (given: { name: string }) => given.name !== name;

  it('can be nested, are synchronous, and return the same array for the same result', () => {
    const gated = gatedTools(
      gatedTools(() => hub, not('drop')),
      not('write'),
    );
    const listed = gated(context());
    expect(listed).toEqual([hub[0]]);
    expect(gated(context())).toBe(listed);
    expect(
      gatedTools(
        () => hub,
        () => true,
      )(context()),
    ).toBe(hub);
  });

  it('await an asynchronous provider', async () => {
    const gated = gatedTools(async () => hub, not('drop'));
    const listed = gated(context());
    expect(listed).toBeInstanceOf(Promise);
    expect((await listed).map(({ name }) => name)).toEqual(['read', 'write']);
  });
});
