/** From the events of Core to spans and metrics: discovery with its phases, calls, questions. */
import {
  type Attributes,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EventData, EventName } from '../../../shared/contract.ts';

type Handlers = { [N in EventName]?: (data: EventData<N>) => void };

/** Durations in seconds, as the conventions want; attributes bear the names of the conventions where there are any. */
export function createRecorder(tracer: Tracer, meter: Meter): (name: EventName, data: unknown) => void {
  const seconds = (name: string, description: string) => meter.createHistogram(name, { unit: 's', description });
  const discoveries = seconds('gatehouse.discovery.duration', 'Discovery of one server, start included');
  const failures = meter.createCounter('gatehouse.discovery.failures', { description: 'Discoveries that failed' });
  const tools = meter.createGauge('gatehouse.tools', { description: 'Tools that a server offers' });
  const calls = seconds('gatehouse.call.duration', 'Tool calls, waiting for a person included');
  const questions = seconds('gatehouse.question.duration', 'Questions to the person, until they were settled');
  const asked = new Map<string, number>();

  /** A span that has just ended. Spans are made when they end, since an event says it all. */
  function ended(name: string, durationMs: number, attributes: Attributes, kind = SpanKind.INTERNAL) {
    const startTime = Date.now() - durationMs;
    const span = tracer.startSpan(name, { startTime, attributes, kind }, ROOT_CONTEXT);
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    const children = trace.setSpan(ROOT_CONTEXT, span);
    return { span, startTime, children, end: () => span.end(startTime + durationMs) };
  }

  function discovered(
    { server, durationMs, phases }: Pick<EventData<'discovery.completed'>, 'server' | 'durationMs' | 'phases'>,
    more: Attributes,
  ): void {
    const attributes = { 'gatehouse.server': server, ...more };
    const { startTime, children, end } = ended(`discovery ${server}`, durationMs, attributes);
    let at = startTime;
    for (const { phase, durationMs: phaseMs } of phases) {
      const span = tracer.startSpan(phase, { startTime: at, attributes: { 'gatehouse.server': server } }, children);
      at += phaseMs;
      span.end(at);
    }
    end();
  }

  const handlers: Handlers = {
    'discovery.completed': ({ toolCount, ...event }) => {
      discovered(event, { 'gatehouse.tools': toolCount });
      discoveries.record(event.durationMs / 1000, { 'gatehouse.server': event.server });
      tools.record(toolCount, { 'gatehouse.server': event.server });
    },
    'discovery.failed': ({ code, ...event }) => {
      discovered(event, { 'error.type': code });
      const attributes = { 'gatehouse.server': event.server, 'error.type': code };
      discoveries.record(event.durationMs / 1000, attributes);
      failures.add(1, attributes);
    },
    'calls.recorded': ({ kind, server, tool, client, outcome, durationMs, code }) => {
      if (kind !== 'call') return;
      const error = outcome === 'ok' ? undefined : (code ?? outcome);
      const attributes = { 'gatehouse.server': server, ...(error && { 'error.type': error }) };
      calls.record(durationMs / 1000, attributes);
      const named = {
        ...attributes,
        'gen_ai.tool.name': tool,
        'mcp.method.name': 'tools/call',
        'gatehouse.client': client,
      };
      ended(`tools/call ${tool}`, durationMs, named, SpanKind.CLIENT).end();
    },
    'questions.told': ({ kind, id, type, server, tool, action }) => {
      if (kind === 'requested') {
        asked.set(id, Date.now());
        return;
      }
      const durationMs = Date.now() - (asked.get(id) ?? Date.now());
      // After an error the question is still open: another face may be asked.
      if (kind !== 'error') asked.delete(id);
      const attributes = {
        'gatehouse.question': type,
        'gatehouse.outcome': action ?? kind,
        ...(server && { 'gatehouse.server': server }),
        ...(kind !== 'responded' && { 'error.type': kind }),
      };
      questions.record(durationMs / 1000, attributes);
      ended(`question ${type}`, durationMs, { ...attributes, ...(tool && { 'gen_ai.tool.name': tool }) }).end();
    },
  };
  return (name, data) => handlers[name]?.(data as never);
}
