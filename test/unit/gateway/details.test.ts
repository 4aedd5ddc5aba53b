import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { describeTool } from '../../../electron/core/gateway/meta-tools/details.ts';
import { problemsOf } from '../../../electron/core/tools/discovery/validate.ts';
import type { JsonSchema, ToolView } from '../../../shared/model/tool.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';
import { realServers } from '../../fixtures/labeled-tools.ts';
import { toolView } from '../../fixtures/single-server-services.ts';

const tokens = (text: string) => encode(text).length;
const view = (inputSchema: JsonSchema, description = 'Does something.') =>
  toolView('server', { name: 'tool', description, inputSchema: { type: 'object', ...inputSchema } });
const nested = (depth: number, around: (inner: JsonSchema) => JsonSchema) =>
  Array.from({ length: depth }).reduce<JsonSchema>(around, { type: 'string' });
const requiredOf = ({ inputSchema }: ToolView) => {
  const named = Object.keys((inputSchema.properties as object | undefined) ?? {});
  return ((inputSchema.required as string[] | undefined) ?? []).filter((name) => named.includes(name));
};

describe('The details of a tool', () => {
  it('take under 200 tokens for 19 of 20 tools of real servers, and name every required parameter with its type', () => {
    const tools = realServers().map(({ server, definition }) => toolView(server, definition));
    const costs = tools.map((tool) => tokens(describeTool(tool))).sort((a, b) => a - b);
    expect(costs[Math.floor(costs.length * 0.95)]).toBeLessThan(200);
    expect(costs.at(-1)).toBeLessThan(230);
    for (const tool of tools) {
      const text = describeTool(tool);
      const required = requiredOf(tool);
      if (required.length <= 6) for (const name of required) expect(text, tool.key).toContain(`- ${name}: `);
    }
  });

  it('explain how to get the rest if they are shortened, and are then complete', () => {
    const described = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `field_${at}`,
        { type: 'string', description: `Meaning of field ${at}.` },
      ]),
    );
    const tool = view({ properties: described, required: ['field_7'] }, `Does something. ${'It is long. '.repeat(50)}`);
    const short = describeTool(tool);
    expect(short).toMatch(/^server\/tool\nDoes something\./);
    expect(short).toContain('Parameters:\n- field_7: string');
    expect(short).toMatch(/^Also: .*\d+ more$/m);
    expect(short).toContain('full: true');
    const full = describeTool(tool, true);
    for (const name of Object.keys(described)) expect(full).toContain(`- ${name}`);
    expect(full).toContain('Meaning of field 39.');
    expect(full).not.toContain('Shortened');
  });

  it.each([
    ['a list of types at each level', nested(58, (inner) => ({ type: ['array', 'array'], items: inner }))],
    ['a long pattern of braces', { type: 'array', items: { type: 'string', pattern: '{'.repeat(240_000) } }],
    ['choices at each level, within itself', { $ref: '#/$defs/circle' }],
  ])('take no longer for %s', (_, schema) => {
    const $defs = {
      ...Object.fromEntries([0, 1, 2].map((at) => [at, { anyOf: Array(8).fill({ $ref: `#/$defs/${at + 1}` }) }])),
      3: { type: 'string', minLength: 3 },
      circle: { anyOf: [{ $ref: '#/$defs/0' }, { type: 'array', items: { $ref: '#/$defs/circle' } }] },
    };
    const inputSchema = { properties: { a: schema }, $defs };
    expect(problemsOf({ name: 'tool', inputSchema: { type: 'object', ...inputSchema } })).toEqual([]);
    const start = cpuMs();
    expect(describeTool(view(inputSchema, 'Does something. '.repeat(200)))).toContain('- a?: ');
    expect(cpuMs() - start).toBeLessThan(1_000);
  });

  it('show a part within itself as any', () => {
    const json = { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/json' } }] };
    const schema = { properties: { a: { $ref: '#/$defs/json' } }, $defs: { json } };
    expect(describeTool(view(schema, 'Does something. '.repeat(200)))).toContain('- a?: string|any[]');
  });

  it('show as many nested objects as fit, with references resolved', () => {
    const item = { type: 'object', properties: { id: { type: 'string' }, note: { type: 'string' } }, required: ['id'] };
    const schema = {
      properties: {
        items: { type: 'array', items: { $ref: '#/$defs/item' }, description: 'What to order. '.repeat(30) },
        circle: { $ref: '#/$defs/circle' },
        gone: { $ref: '#/$defs/none' },
      },
      required: ['items'],
      $defs: { item, circle: { $ref: '#/$defs/circle' } },
    };
    const text = describeTool(view(schema, 'Orders things. '.repeat(40)));
    expect(text).toContain('- items: { id: string, note?: string }[] — What to order');
    expect(text).toContain('- circle?: any');
    expect(text).toContain('- gone?: any');
  });

  it('follow references with escaped names', () => {
    const properties = { place: { $ref: '#/$defs/a~1b%20~0c' } };
    const $defs = { 'a/b ~c': { type: 'object', properties: { city: { type: 'string' } } } };
    const text = describeTool(view({ properties, required: ['place'], $defs }, 'Goes there. '.repeat(200)));
    expect(text).toContain('- place: { city?: string }');
  });

  it('are short for a huge schema', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    let deep: JsonSchema = { type: 'string' };
    for (let level = 0; level < 500; level += 1) deep = { type: 'object', properties: { inner: deep } };
    for (const properties of [wide, { deep }]) expect(tokens(describeTool(view({ properties })))).toBeLessThan(200);
  });
});
