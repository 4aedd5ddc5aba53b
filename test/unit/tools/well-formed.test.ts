/** Malformed definitions are repaired, so that no client library rejects a whole list because of one of them. */
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import {
  wellFormedPrompt,
  wellFormedResource,
  wellFormedTool,
} from '../../../electron/core/tools/discovery/well-formed.ts';

const tool = (more: object) => ({ name: 't', inputSchema: { type: 'object' }, ...more });

describe('A tool', () => {
  it.each<[string, object]>([
    ['a schema without a type', tool({ inputSchema: { $schema: 'x' } })],
    ['a boolean property schema', tool({ inputSchema: { type: 'object', properties: { a: true, b: false } } })],
    [
      'properties and required that are null',
      tool({ inputSchema: { type: 'object', properties: null, required: null } }),
    ],
    ['a hint that is a string', tool({ annotations: { readOnlyHint: 'true', title: 7 } })],
    ['annotations that are a list', tool({ annotations: [] })],
    ['icons that are a string', tool({ icons: 'x' })],
    ['an unknown task support', tool({ execution: { taskSupport: 'maybe' } })],
    ['a description and a title of the wrong type', tool({ description: null, title: 3 })],
    ['an output schema that is a list', tool({ outputSchema: [] })],
    ['an output schema without a type', tool({ outputSchema: { properties: {} } })],
    ['metadata that is a string', tool({ _meta: 'x' })],
  ])('with %s is accepted by the SDK after the repair', (_case, declared) => {
    const repaired = wellFormedTool(declared as Record<string, unknown>);
    expect(ListToolsResultSchema.safeParse({ tools: [repaired] }).success).toBe(true);
    expect(repaired.name).toBe('t');
    expect(repaired.inputSchema.type).toBe('object');
  });

  it('loses spaces of no width in the emphasized text of its descriptions, and nowhere else', () => {
    const a = { description: '**\u200ba\u200b**', enum: ['*\u200b'] };
    const inputSchema = { type: 'object', properties: { a } };
    expect(
      wellFormedTool(
        tool({ description: '**How \u200b\u200bto list** **\u200bmessages\u200b** of\u200b a chat.', inputSchema }),
      ),
    ).toEqual(
      tool({
        description: '**How to list** **messages** of\u200b a chat.',
        inputSchema: { type: 'object', properties: { a: { description: '**a**', enum: ['*\u200b'] } } },
      }),
    );
  });

  it('that is well-formed stays the same object, unknown fields included', () => {
    const declared = tool({ description: 'd', annotations: { readOnlyHint: true, other: 1 }, extra: { a: 1 } });
    expect(wellFormedTool(declared)).toBe(declared);
  });
});

describe('A prompt', () => {
  it('loses arguments without a name and fields of the wrong type', () => {
    const repaired = wellFormedPrompt({
      name: 'p',
      description: null,
      arguments: [{ description: 'x' }, { name: 'a', description: null, required: true }],
    });
    expect(repaired).toEqual({ name: 'p', arguments: [{ name: 'a', required: true }] });
    expect(ListPromptsResultSchema.safeParse({ prompts: [repaired] }).success).toBe(true);
  });
});

describe('A resource', () => {
  it('loses fields of the wrong type', () => {
    const repaired = wellFormedResource({
      uri: 'x://1',
      name: 'r',
      mimeType: null,
      size: '10',
      annotations: { priority: 5, audience: ['user'] },
    });
    expect(repaired).toEqual({ uri: 'x://1', name: 'r', annotations: { audience: ['user'] } });
    expect(ListResourcesResultSchema.safeParse({ resources: [repaired] }).success).toBe(true);
  });
});
