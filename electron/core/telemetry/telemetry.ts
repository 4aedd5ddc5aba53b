/**
 * Spans and metrics by OpenTelemetry for whoever sets OTEL_EXPORTER_OTLP_ENDPOINT (row B16); otherwise nothing is loaded.
 * Made of the events that faces get: what is sent holds names, durations and outcomes, never arguments, results or messages.
 */
import { toFailure } from '../../../shared/failure.ts';
import type { Subscribe } from '../../../shared/rpc.ts';

export interface Telemetry {
  /** Sends what is waiting; takes two seconds at most. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  subscribe: Subscribe;
  log(level: 'info' | 'warn', message: string): void;
}

const off: Telemetry = { close: async () => undefined };

/** Begins to watch at once and loads the exporters in the background; a collector that is away harms nobody. */
export function openTelemetry({ env, version, subscribe, log }: TelemetryOptions): Telemetry {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return off;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    log('warn', 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address, so no telemetry is sent.');
    return off;
  }
  const started = Promise.all([import('./exporters.ts'), import('./recorder.ts')]).then(
    ([{ openExporters }, { createRecorder }]) => {
      const exporters = openExporters(endpoint, env, version);
      return { exporters, record: createRecorder(exporters.tracer, exporters.meter) };
    },
  );
  started.then(
    () => log('info', `Spans and metrics go to ${new URL(endpoint).origin}.`),
    (error: unknown) => log('warn', `Telemetry could not be started: ${toFailure(error).message}`),
  );
  const stop = subscribe((name, data) => void started.then(({ record }) => record(name, data)).catch(() => undefined));
  return {
    async close() {
      stop();
      await started.then(({ exporters }) => exporters.close()).catch(() => undefined);
    },
  };
}
