/** An OTLP collector on 127.0.0.1 that keeps everything it receives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attributes = { key: string; value: Value }[];
export interface Span {
  name: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  status: { code?: number };
}
interface Metric {
  name: string;
  unit?: string;
  [kind: string]: unknown;
}

export interface Collector extends AsyncDisposable {
  readonly endpoint: string;
  /** Every received payload, unchanged. */
  readonly bodies: string[];
  readonly requests: { path: string; headers: Record<string, unknown> }[];
  spans(): Span[];
  metrics(): Metric[];
  /** The resource of the first export. */
  resource(): Record<string, unknown>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      requests.push({ path: request.url ?? '', headers: request.headers });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // biome-ignore lint/suspicious/noExplicitAny: the raw wire format, read in a few places only
  const sent = (): any[] => bodies.map((body) => JSON.parse(body));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    requests,
    spans: () =>
      sent()
        .flatMap((body) => body.resourceSpans ?? [])
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    metrics: () =>
      sent()
        .flatMap((body) => body.resourceMetrics ?? [])
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics),
    resource: () => {
      const [first] = sent().flatMap((body) => body.resourceSpans ?? body.resourceMetrics ?? []);
      return plain(first?.resource.attributes ?? []);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Attributes as an object. */
export function plain(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );
}
