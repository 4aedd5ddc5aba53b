/** Spans and metrics as a collector receives them, from a Core with real servers. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { testHost } from '../../fixtures/host.ts';
import { type Collector, plain, startCollector } from './collector.ts';

const secret = 'sk-live-4242-very-secret';

/** A Core with these servers that exports to `collector`; it exports pending data when it closes. */
async function observed(collector: Collector, servers: ServerConfig[], env: Record<string, string> = {}) {
  const host = testHost({
    env: {
      TOOLKEEP_TELEMETRY: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${secret}`,
      ...env,
    },
  });
  host.settings.servers = servers;
  const core = await createCore(host);
  return {
    core,
    host,
    async [Symbol.asyncDispose]() {
      await core.close();
      host.dispose();
    },
  };
}

describe('Telemetry with an endpoint', () => {
  it('exports a discovery as a span with its five phases, and as a metric per server', async () => {
    await using collector = await startCollector();
    {
      await using observation = await observed(collector, [
        serverConfig('good', commands.misbehaving('normal')),
        serverConfig('bad', commands.misbehaving('crash-at-list')),
        serverConfig('gone', { command: '/nowhere/to/be/found', args: [] }),
      ]);
      const state = async (name: string) =>
        (await observation.core.handlers['servers.list']()).find(({ id }) => id === name)?.status;
      await expect
        .poll(async () => [await state('good'), await state('bad'), await state('gone')])
        .toEqual(['ready', 'failed', 'failed']);
      await expect
        .poll(async () =>
          (await observation.core.handlers['servers.list']()).every(({ failure, id }) => id === 'good' || failure),
        )
        .toBe(true);
    }
    const spans = collector.spans();
    const good = spans.find(({ name }) => name === 'discovery good');
    expect(plain(good?.attributes ?? [])).toEqual({ 'toolkeep.server': 'good', 'toolkeep.tools': 6 });
    const phases = spans.filter(({ parentSpanId }) => parentSpanId === good?.spanId);
    expect(phases.map(({ name }) => name)).toEqual([
      'configuration',
      'transport',
      'session',
      'discovery',
      'registration',
    ]);
    const last = phases.at(-1)?.endTimeUnixNano ?? '';
    expect(BigInt(last)).toBeLessThanOrEqual(BigInt(good?.endTimeUnixNano ?? 0) + 1_000_000n);

    const failed = spans.filter(({ name }) => name === 'discovery gone' || name === 'discovery bad');
    expect(new Set(failed.map(({ attributes }) => plain(attributes)['error.type']))).toEqual(
      new Set(['SERVER_SPAWN_FAILED', 'SERVER_CRASHED']),
    );
    expect(failed.every(({ status }) => status.code === 2)).toBe(true);
    const names = collector.metrics().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'toolkeep.discovery.duration',
        'toolkeep.discovery.failures',
        'toolkeep.tools',
        'mcp.discovery.tool_count',
        'mcp.discovery.duration_ms',
        'mcp.discovery.failures',
      ]),
    );
    expect(collector.resource()).toMatchObject({ 'service.name': 'toolkeep', 'service.version': '0.0.0-test' });
  });

  it('exports a call and a question as spans with their outcome, without arguments, results or secrets', async () => {
    await using collector = await startCollector();
    {
      await using observation = await observed(
        collector,
        [serverConfig('good', { ...commands.misbehaving('normal'), env: { TOKEN: secret } })],
        { OTEL_SERVICE_NAME: 'my-gate' },
      );
      const { handlers } = observation.core;
      await expect.poll(() => handlers['tools.list']({ server: 'good' })).toHaveLength(6);
      const run = (tool: string, args: Record<string, unknown>) =>
        handlers['tools.execute']({ server: 'good', tool, arguments: args });
      await run('echo', { text: `hello ${secret}` });
      await expect(run('fail', { password: secret })).rejects.toThrow();
      // No user can be asked, so a call that needs approval is refused without a question.
      await handlers['rules.save']({ rules: [{ pattern: ['pid'], confirm: 'always', active: true }] });
      await expect(run('pid', {})).rejects.toThrow();
    }
    const calls = collector.spans().filter(({ name }) => name.startsWith('tools/call'));
    expect(calls.map(({ attributes }) => plain(attributes))).toEqual([
      expect.objectContaining({
        'toolkeep.server': 'good',
        'gen_ai.tool.name': 'echo',
        'mcp.method.name': 'tools/call',
        'toolkeep.client': 'Toolkeep',
      }),
      expect.objectContaining({ 'gen_ai.tool.name': 'fail', 'error.type': 'TOOL_EXECUTION_ERROR' }),
      expect.objectContaining({ 'gen_ai.tool.name': 'pid', 'error.type': 'APPROVAL_UNAVAILABLE' }),
    ]);
    expect(collector.metrics().map(({ name }) => name)).toContain('toolkeep.call.duration');
    expect(collector.resource()).toMatchObject({ 'service.name': 'my-gate' });
    expect(collector.bodies.join('\n')).not.toContain(secret);
    expect(collector.bodies.join('\n')).not.toContain('hello');
    // The headers of the collector are sent only to the collector.
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    expect(collector.requests.every(({ headers }) => headers['x-api-key'] === secret)).toBe(true);
  });

  it('exports a question to the user as a span with its outcome', async () => {
    await using collector = await startCollector();
    {
      await using observation = await observed(collector, [serverConfig('good', commands.misbehaving('normal'))]);
      const { handlers, attach } = observation.core;
      const [ours] = linkedWires();
      attach(ours, { answersQuestions: true });
      await expect.poll(() => handlers['tools.list']({ server: 'good' })).toHaveLength(6);
      await handlers['rules.save']({ rules: [{ pattern: ['pid'], confirm: 'always', active: true }] });
      const call = expect(
        handlers['tools.execute']({ server: 'good', tool: 'pid', arguments: {} }),
      ).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
      await expect.poll(() => handlers['questions.list']()).toHaveLength(1);
      const [question] = await handlers['questions.list']();
      await handlers['questions.answer']({ id: question?.id ?? '', answer: { action: 'decline' } });
      await call;
    }
    const question = collector.spans().find(({ name }) => name === 'question approval');
    expect(plain(question?.attributes ?? [])).toEqual({
      'toolkeep.question': 'approval',
      'toolkeep.outcome': 'decline',
      'toolkeep.server': 'good',
      'gen_ai.tool.name': 'pid',
    });
    expect(collector.metrics().map(({ name }) => name)).toContain('toolkeep.question.duration');
  });

  it('works if the collector is unavailable: calls are unaffected, and closing does not wait', async () => {
    const collector = await startCollector();
    await collector[Symbol.asyncDispose]();
    await using observation = await observed(collector, [serverConfig('good', commands.misbehaving('normal'))]);
    await expect.poll(() => observation.core.handlers['tools.list']({ server: 'good' })).toHaveLength(6);
  });

  it('reports an invalid address and sends nothing', async () => {
    const host = testHost({ env: { TOOLKEEP_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' } });
    const core = await createCore(host);
    await core.close();
    host.dispose();
    expect(host.logged).toContainEqual({
      level: 'warn',
      message: expect.stringContaining('not an http or https URL'),
    });
  });
});

describe('Telemetry without an endpoint or without its own setting', () => {
  /** The packages of OpenTelemetry that a process loads while a Core starts and ends in it. */
  async function loaded(env: Record<string, string>): Promise<string[]> {
    const watch = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith('@opentelemetry/')) console.log(name);
        return next(name, context);
      } });`;
    const run = `import { createCore } from ${JSON.stringify(join(import.meta.dirname, '../../../electron/core/core.ts'))};
      import { testHost } from ${JSON.stringify(join(import.meta.dirname, '../../fixtures/host.ts'))};
      const host = testHost({ env: process.env });
      await (await createCore(host)).close();
      host.dispose();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, '--input-type=module', '-e', run],
      { env: { PATH: process.env.PATH, ...env } },
    );
    return stdout.split('\n').filter((line) => line !== '');
  }

  it('does not load its code', { tags: ['exhaustive'], timeout: 90_000 }, async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const both = { ...endpoint, TOOLKEEP_TELEMETRY: '1' };
    // A login shell may set the endpoint for other programs.
    const without: Record<string, string>[] = [
      {},
      endpoint,
      { TOOLKEEP_TELEMETRY: '1' },
      { ...both, OTEL_SDK_DISABLED: 'true' },
    ];
    for (const env of without) expect(await loaded(env)).toEqual([]);
    expect(await loaded(both)).toContain('@opentelemetry/sdk-trace');
  });
});
