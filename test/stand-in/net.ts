/** `net`: requests with the events of Electron's, over Node. */
import { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { needsReady } from './app.ts';
import { isSession } from './desktop.ts';
import { strict } from './strict.ts';

type Options = Electron.ClientRequestConstructorOptions & http.RequestOptions;

/** Chromium sets these itself, and rejects a request that contains them. */
const forbidden = ['host', 'content-length', 'connection', 'upgrade', 'keep-alive', 'transfer-encoding'];

/** Unlike Node's, it reports a redirect as an event, and has no `socket` event. */
class ClientRequest extends EventEmitter {
  readonly #request: http.ClientRequest;

  constructor(given: Options) {
    super();
    needsReady('net');
    const { session, redirect, ...options } = given;
    if (session !== undefined && !isSession(session))
      throw new TypeError('`session` should be an instance of the Session class');
    for (const name of Object.keys(options.headers ?? {}))
      if (forbidden.includes(name.toLowerCase())) throw new Error('net::ERR_INVALID_ARGUMENT');
    const { request } = options.protocol === 'http:' ? http : https;
    this.#request = request(options, (response) => {
      const { statusCode = 0, headers } = response;
      if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
        this.emit('response', response);
        return;
      }
      response.resume();
      if (redirect !== 'manual') throw new Error('The stand-in follows no redirects');
      this.emit('redirect', statusCode, 'GET', headers.location, {});
      this.emit('error', new Error('Redirect was cancelled'));
    });
    this.#request.on('error', (error) => this.emit('error', error));
    this.#request.on('close', () => this.emit('close'));
  }

  end(body?: Buffer) {
    this.#request.end(body);
  }

  abort() {
    this.#request.destroy();
    this.emit('abort');
  }
}

export const net = strict('net', {
  request: (options: Options) => strict('ClientRequest', new ClientRequest(options)),
});
