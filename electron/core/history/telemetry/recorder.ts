/** Turns Core's events into spans and metrics: discovery with its phases, calls, questions. */
import {
  type Attributes,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EventData, EventName } from '../../../../shared/protocol/contract.ts';

type Handlers = { [N in EventName]?: (data: EventData<N>) => void };

/** The names and units that dashboards of other MCP hosts use. */
function commonNames(meter: Meter) {
  return {
    tools: meter.createGauge('mcp.discovery.tool_count', { description: 'Tools offered by a server' }),
    durations: meter.createHistogram('mcp.discovery.duration_ms', {
      unit: 'ms',
      description: 'Discovery of one server',
    }),
    failures: meter.createCounter('mcp.discovery.failures', { description: 'Failed discoveries' }),
    timeout: meter.createCounter('mcp.elicitation.timeouts', {
      description: 'Questions that no user answered in time',
    }),
    error: meter.createCounter('mcp.elicitation.errors', { description: 'Questions that could not be shown' }),
  };
}

/** Durations are in seconds and attributes use OpenTelemetry's semantic conventions where these define a name. */
export function createRecorder(tracer: Tracer, meter: Meter): (name: EventName, data: unknown) => void {
  const seconds = (name: string, description: string) => meter.createHistogram(name, { unit: 's', description });
  const discoveries = seconds('toolkeep.discovery.duration', 'Discovery of one server, including its start');
  const failures = meter.createCounter('toolkeep.discovery.failures', { description: 'Failed discoveries' });
  const tools = meter.createGauge('toolkeep.tools', { description: 'Tools offered by a server' });
  const calls = seconds('toolkeep.call.duration', 'Tool calls, including the time spent waiting for the user');
  const questions = seconds(
    'toolkeep.question.duration',
    'Questions to the user, until they were answered or withdrawn',
  );
  const requestedAt = new Map<string, number>();
  const named = commonNames(meter);

  /** Creates a span that ends now and started `durationMs` ago, because an event reports its duration only at the end. */
  function ended(name: string, durationMs: number, attributes: Attributes, kind = SpanKind.INTERNAL) {
    const startTime = Date.now() - durationMs;
    const span = tracer.startSpan(name, { startTime, attributes, kind }, ROOT_CONTEXT);
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    const children = trace.setSpan(ROOT_CONTEXT, span);
    return { span, startTime, children, end: () => span.end(startTime + durationMs) };
  }

  function discovered(
    { server, durationMs, phases, iteration }: Omit<EventData<'discovery.completed'>, 'toolCount'>,
    extra: Attributes,
  ): void {
    const attributes = {
      'toolkeep.server': server,
      ...(iteration !== undefined && { 'toolkeep.iteration': iteration }),
      ...extra,
    };
    const { startTime, children, end } = ended(`discovery ${server}`, durationMs, attributes);
    let at = startTime;
    for (const { phase, durationMs: phaseMs } of phases) {
      const span = tracer.startSpan(phase, { startTime: at, attributes: { 'toolkeep.server': server } }, children);
      at += phaseMs;
      span.end(at);
    }
    end();
  }

  const handlers: Handlers = {
    'discovery.completed': ({ toolCount, ...event }) => {
      discovered(event, { 'toolkeep.tools': toolCount });
      discoveries.record(event.durationMs / 1000, { 'toolkeep.server': event.server });
      // Skip a plug-in's list for one client, because the plug-in may offer more tools.
      if (event.iteration === undefined) tools.record(toolCount, { 'toolkeep.server': event.server });
      if (event.iteration === undefined) named.tools.record(toolCount, { serverId: event.server });
      named.durations.record(event.durationMs, { serverId: event.server });
    },
    'discovery.failed': ({ code, rule, ...event }) => {
      const kind = rule === undefined ? {} : { 'toolkeep.rule': rule };
      discovered(event, { 'error.type': code, ...kind });
      const attributes = { 'toolkeep.server': event.server, 'error.type': code, ...kind };
      discoveries.record(event.durationMs / 1000, attributes);
      failures.add(1, attributes);
      named.failures.add(1, { serverId: event.server });
    },
    'calls.recorded': ({ kind, server, tool, client, outcome, durationMs, code }) => {
      if (kind !== 'call') return;
      const error = outcome === 'ok' ? undefined : (code ?? outcome);
      const attributes = { 'toolkeep.server': server, ...(error && { 'error.type': error }) };
      calls.record(durationMs / 1000, attributes);
      const spanAttributes = {
        ...attributes,
        'gen_ai.tool.name': tool,
        'mcp.method.name': 'tools/call',
        'toolkeep.client': client,
      };
      ended(`tools/call ${tool}`, durationMs, spanAttributes, SpanKind.CLIENT).end();
    },
    'questions.lifecycle': ({ kind, id, type, server, tool, action }) => {
      if (kind === 'requested') {
        requestedAt.set(id, Date.now());
        return;
      }
      const durationMs = Date.now() - (requestedAt.get(id) ?? Date.now());
      // After an error the question is still open: another UI may show it.
      if (kind !== 'error') requestedAt.delete(id);
      const attributes = {
        'toolkeep.question': type,
        'toolkeep.outcome': action ?? kind,
        ...(server && { 'toolkeep.server': server }),
        ...(kind !== 'responded' && { 'error.type': kind }),
      };
      questions.record(durationMs / 1000, attributes);
      if (kind === 'timeout' || kind === 'error')
        named[kind].add(1, { type, ...(server && { serverId: server }), ...(tool && { toolName: tool }) });
      ended(`question ${type}`, durationMs, { ...attributes, ...(tool && { 'gen_ai.tool.name': tool }) }).end();
    },
  };
  return (name, data) => handlers[name]?.(data as never);
}
