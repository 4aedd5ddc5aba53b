/** A JSON-RPC error that a server answered with: its own words, not a failure of the connection. */
export class UpstreamRpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'UpstreamRpcError';
    this.code = code;
    this.data = data;
  }
}
