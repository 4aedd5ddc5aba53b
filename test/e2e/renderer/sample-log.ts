/** A sample log of a server with every kind of entry. */
import type { LogEntry } from '../../../shared/model/server-log.ts';

export function sampleLog(now: number): LogEntry[] {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
  const initialized = { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'filesystem', version: '2026.1.14' } } };
  const call = { name: 'read_text_file', arguments: { path: '/home/ada/notes.md' } };
  const result = { content: [{ type: 'text', text: 'ENOENT: no such file' }], isError: true };
  const entries: Omit<LogEntry, 'id' | 'at'>[] = [
    { kind: 'state', text: 'Starting.' },
    { kind: 'stderr', text: 'Secure MCP Filesystem Server running on stdio' },
    { kind: 'sent', text: 'initialize', message: JSON.stringify(initialize) },
    { kind: 'received', text: 'Response to initialize (38 ms)', message: JSON.stringify(initialized) },
    { kind: 'state', text: 'Connected to process 48213.' },
    { kind: 'stdout', text: 'Listening for requests…' },
    {
      kind: 'sent',
      text: 'tools/call read_text_file',
      message: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
    },
    {
      kind: 'received',
      text: 'Response to tools/call read_text_file (4 ms)',
      message: JSON.stringify({ jsonrpc: '2.0', id: 2, result }),
      isError: true,
    },
    { kind: 'stderr', text: `Warning: ${'a long line that does not fit, '.repeat(8)}` },
    { kind: 'state', text: '"filesystem" exited with code 1. It printed nothing to stderr.', isError: true },
  ];
  return entries.map((entry, index) => ({ ...entry, id: index + 1, at: now - (entries.length - index) * 1_000 }));
}
