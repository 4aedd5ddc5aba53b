/**
 * OpenTelemetry spans and metrics. Requires TOOLKEEP_TELEMETRY=1 in addition to OTEL_EXPORTER_OTLP_ENDPOINT, which a login
 * shell may set for other programs; without both, loads nothing. Sends the names, durations and outcomes in the events that
 * UIs receive, never arguments, results or messages.
 */
import { toFailure } from '../../../../shared/failure.ts';
import type { Subscribe } from '../../../../shared/protocol/rpc.ts';

export interface Telemetry {
  /** Sends pending data; takes at most two seconds. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  subscribe: Subscribe;
  log(level: 'info' | 'warn', message: string): void;
}

const disabled: Telemetry = { close: async () => undefined };

/** Subscribes immediately and loads the exporters in the background. An unreachable collector has no effect on Core. */
export function openTelemetry({ env, version, subscribe, log }: TelemetryOptions): Telemetry {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  if (env.TOOLKEEP_TELEMETRY !== '1' || !endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return disabled;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    log('warn', 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL; no telemetry is sent.');
    return disabled;
  }
  const started = Promise.all([import('./exporters.ts'), import('./recorder.ts')]).then(
    ([{ openExporters }, { createRecorder }]) => {
      const exporters = openExporters(endpoint, env, version);
      return { exporters, record: createRecorder(exporters.tracer, exporters.meter) };
    },
  );
  started.then(
    () => log('info', `Sending spans and metrics to ${new URL(endpoint).origin}.`),
    (error: unknown) => log('warn', `Telemetry failed to start: ${toFailure(error).message}`),
  );
  const stop = subscribe((name, data) => void started.then(({ record }) => record(name, data)).catch(() => undefined));
  return {
    async close() {
      stop();
      await started.then(({ exporters }) => exporters.close()).catch(() => undefined);
    },
  };
}
