/** The document that a release hosts for sign-ins. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  clientMetadata,
  hostedMetadataUrl,
  metadataUrl,
} from '../../../electron/core/servers/oauth/client-metadata.ts';

it('docs/releasing.md shows the document with the address of this build and what a sign-in registers', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/releasing.md'), 'utf8');
  const [, block = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  const expected = { client_id: hostedMetadataUrl, ...clientMetadata('http://127.0.0.1/callback') };
  expect(JSON.parse(block)).toEqual(expected);
});

it('A placeholder is no address, and a variable replaces the address of the build', () => {
  expect(metadataUrl({ TOOLKEEP_CLIENT_METADATA_URL: 'https://a.invalid/client.json' })).toBeUndefined();
  const hosted = 'https://toolkeep.example/client.json';
  expect(metadataUrl({ TOOLKEEP_CLIENT_METADATA_URL: hosted })).toBe(hosted);
});
