/**
 * A model that follows a script, over the wire formats of real clients: Anthropic Messages, OpenAI Chat Completions and
 * Responses, Gemini. It searches for a tool, runs it, and ends with text; it answers requests without tools with text at once.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

type Json = Record<string, unknown>;

/** A call of a tool, by the end of its name, because each client adds its own prefix. */
export interface ScriptedCall {
  tool: string;
  arguments: Json;
  /** The call to make, at most three times, while the client does not list the tool. */
  meanwhile?: ScriptedCall;
}

export interface ScriptedModel {
  url: string;
  /** The text of the tool's result after each call of the script, as the client returned it. */
  results: string[];
  /** Tools that a step of the script did not find, and requests that the model does not know. */
  problems: string[];
  close(): Promise<void>;
}

/** One wire format: what a request has, and how an answer is streamed. */
interface Format {
  path: RegExp;
  toolNames(body: Json): string[];
  /** In the order of the calls. */
  results(body: Json): unknown[];
  /** Events of a stream: each an event name, or none, and its data. */
  text(text: string): StreamEvent[];
  call(name: string, args: Json, id: string): StreamEvent[];
  /** The answer to a request that does not ask for a stream. */
  whole(text: string): Json;
}

type StreamEvent = [name: string | undefined, data: Json | string];

const model = 'scripted';
const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);

function anthropicEvents(block: Json, delta: Json, stopReason: string): StreamEvent[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  const events: Json[] = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((data) => [String(data.type), data]);
}

const anthropic: Format = {
  path: /\/v1\/messages$/,
  toolNames: ({ tools }) => list(tools).map(({ name }) => String(name)),
  results: ({ messages }) =>
    list(messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content),
  text: (text) => anthropicEvents({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
  call: (name, args, id) =>
    anthropicEvents(
      { type: 'tool_use', id, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      'tool_use',
    ),
  whole: (text) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn', stop_sequence: null },
    ...{ content: [{ type: 'text', text }], usage: { input_tokens: 1, output_tokens: 1 } },
  }),
};

function chatEvents(delta: Json, finish: string): StreamEvent[] {
  const chunk = (choice: Json) => ({ id: 'c1', object: 'chat.completion.chunk', created: 1, model, choices: [choice] });
  return [
    [undefined, chunk({ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null })],
    [undefined, chunk({ index: 0, delta: {}, finish_reason: finish })],
    [undefined, '[DONE]'],
  ];
}

const chat: Format = {
  path: /\/chat\/completions$/,
  toolNames: ({ tools }) => list(tools).map((tool) => String((tool.function as Json | undefined)?.name)),
  results: ({ messages }) =>
    list(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content),
  text: (text) => chatEvents({ content: text }, 'stop'),
  call: (name, args, id) =>
    chatEvents(
      { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
      'tool_calls',
    ),
  whole: (text) => ({
    ...{ id: 'c1', object: 'chat.completion', created: 1, model },
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  }),
};

function responseEvents(item: Json): StreamEvent[] {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'in_progress', output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const events: Json[] = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ];
  return events.map((data) => [String(data.type), data]);
}

const responseText = (text: string): Json => ({
  ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** Tools may be grouped in a namespace, which a call must name. */
const responses: Format = {
  path: /\/responses$/,
  toolNames: ({ tools }) =>
    list(tools).flatMap(({ type, name, tools: inner }) =>
      type === 'namespace' ? list(inner).map((tool) => `${name}\n${tool.name}`) : [String(name)],
    ),
  results: ({ input }) =>
    list(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output),
  text: (text) => responseEvents(responseText(text)),
  call(full, args, id) {
    const [name, namespace] = full.split('\n').reverse();
    const call = { id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args), status: 'completed' };
    return responseEvents({ type: 'function_call', ...call, ...(namespace === undefined ? {} : { namespace }) });
  },
  whole: (text) => ({ id: 'resp_1', object: 'response', model, status: 'completed', output: [responseText(text)] }),
};

const geminiAnswer = (part: Json): Json => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: model,
});

const gemini: Format = {
  path: /:(?:streamG|g)enerateContent$/,
  toolNames: ({ tools }) =>
    list(tools).flatMap(({ functionDeclarations }) => list(functionDeclarations).map(({ name }) => String(name))),
  results: ({ contents }) =>
    list(contents)
      .flatMap(({ parts }) => list(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => (functionResponse as Json).response),
  text: (text) => [[undefined, geminiAnswer({ text })]],
  call: (name, args, id) => [[undefined, geminiAnswer({ functionCall: { id, name, args } })]],
  whole: (text) => geminiAnswer({ text }),
};

const formats = [anthropic, chat, responses, gemini];

/** `thinkMs`: how long the model takes for an answer. Clients get notifications meanwhile. */
export async function startScriptedModel(script: ScriptedCall[], { thinkMs = 0 } = {}): Promise<ScriptedModel> {
  /** Calls that were not in the script. */
  let more = 0;
  const results: string[] = [];
  const problems: string[] = [];

  function answer(format: Format, body: Json): StreamEvent[] {
    const tools = format.toolNames(body);
    const done = format.results(body).map((result) => (typeof result === 'string' ? result : JSON.stringify(result)));
    if (tools.length === 0) return format.text('A title');
    if (done.length > results.length) results.splice(0, results.length, ...done);
    const wanted = script[done.length - more];
    if (wanted === undefined) return format.text('The script ends.');
    const nameOf = (call: ScriptedCall) => tools.find((tool) => tool.endsWith(call.tool));
    const isMissing = nameOf(wanted) === undefined && wanted.meanwhile !== undefined && more < 3;
    const next = (isMissing && wanted.meanwhile) || wanted;
    if (isMissing) more += 1;
    const name = nameOf(next);
    if (name !== undefined) return format.call(name, next.arguments, `call_${done.length + 1}`);
    problems.push(`${next.tool} is not among ${tools.length} tools: ${tools.join(' ').slice(0, 200)}`);
    return format.text('The tool is missing.');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const format = request.method === 'POST' ? formats.find(({ path }) => path.test(pathname)) : undefined;
    const received: Buffer[] = [];
    for await (const chunk of request) received.push(chunk as Buffer);
    if (!format) {
      if (request.method === 'POST') problems.push(`unknown: ${pathname}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not found"}}');
      return;
    }
    const body = JSON.parse(Buffer.concat(received).toString()) as Json;
    if (body.stream !== true && !pathname.endsWith(':streamGenerateContent')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(format.whole('A title')));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await delay(thinkMs);
    for (const [name, data] of answer(format, body)) {
      if (name !== undefined) response.write(`event: ${name}\n`);
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      problems.push(error.message);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results,
    problems,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
