/**
 * An internet of one computer, in a network namespace of its own: a DNS server that leads every name to this process, and an
 * HTTPS server that has a certificate for each. A child process of `stand-ins-inside.ts`, which receives each query and request.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:https';
import { type Certificates, createCertificates } from '../../electron/core/servers/sandbox/certificates.ts';

/** Public, because names of a confined server may not lead to the local network. */
export const address = '44.44.44.44';

export type Seen =
  | { kind: 'ready'; authority: string }
  | { kind: 'query'; name: string }
  | { kind: 'connection'; name: string }
  | { kind: 'request'; host: string; text: string };

const tell = (seen: Seen) => void process.send?.(seen);

if (process.send) {
  const certificates = await createCertificates();
  startDns();
  startHttps(certificates);
}

function startDns(): void {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address: asker }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const isIpv4 = query.readUInt16BE(at + 1) === 1;
    tell({ kind: 'query', name: labels.join('.') });
    const head = Buffer.from(query.subarray(0, at + 5));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isIpv4 ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    // The name of the question, type A, class IN, 60 seconds, four bytes.
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
    socket.send(isIpv4 ? Buffer.concat([head, record]) : head, port, asker);
  });
  socket.bind(53, '127.0.0.1');
}

function startHttps({ contextFor, own }: Certificates): void {
  const server = createServer({
    SNICallback(name, done) {
      tell({ kind: 'connection', name });
      contextFor(name).then((context) => done(null, context), done);
    },
  });
  server.on('request', async (request, response) => {
    const chunks = await request.toArray().catch(() => []);
    const lines = [`${request.method} ${request.url}`, ...request.rawHeaders, Buffer.concat(chunks).toString('latin1')];
    tell({ kind: 'request', host: request.headers.host ?? '', text: lines.join('\n') });
    response.setHeader('content-type', 'application/json');
    // Returns what it received, as some services do.
    response.end(JSON.stringify({ ok: true, data: [], echo: request.rawHeaders, url: request.url }));
  });
  server.listen(443, address, () => tell({ kind: 'ready', authority: own }));
}
