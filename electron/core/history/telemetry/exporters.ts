/** OpenTelemetry providers and exporters: OTLP over HTTP as JSON, configured with the standard OTEL_* variables. */
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { decodedUri } from '../../../../shared/decoded-uri.ts';

type Env = Readonly<Record<string, string | undefined>>;

const closeTimeoutMs = 2_000;

/** The providers are not registered globally, so other code in the process is unaffected. */
export function openExporters(endpoint: string, env: Env, version: string) {
  const resource = resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME || 'toolkeep',
    'service.version': version,
  });
  const to = (signal: string) => ({
    url: `${endpoint.replace(/\/$/, '')}/v1/${signal}`,
    headers: headersOf(env.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMillis: closeTimeoutMs,
  });
  const traces = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(to('traces')),
        scheduledDelayMillis: milliseconds(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
      }),
    ],
  });
  const exportIntervalMillis = milliseconds(env.OTEL_METRIC_EXPORT_INTERVAL, 60_000);
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(to('metrics')),
        exportIntervalMillis,
        exportTimeoutMillis: Math.min(exportIntervalMillis, closeTimeoutMs),
      }),
    ],
  });
  return {
    tracer: traces.getTracer('toolkeep', version),
    meter: metrics.getMeter('toolkeep', version),
    async close(): Promise<void> {
      const timeout = new Promise((resolve) => setTimeout(resolve, closeTimeoutMs).unref());
      await Promise.race([Promise.allSettled([traces.shutdown(), metrics.shutdown()]), timeout]);
    },
  };
}

/** `key=value,key=value`, values percent-encoded as in a baggage header. */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const split = pair.indexOf('=');
    return split > 0 ? [[pair.slice(0, split).trim(), decodedUri(pair.slice(split + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function milliseconds(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return value > 0 ? value : fallback;
}
