/** A key that Toolkeep no longer has gets one warning that says what replaced it, and the rest of the file still counts. */
import { expect, test } from 'vitest';
import { checkDocument } from '../../../electron/core/config/check.ts';
import { retiredKeys } from '../../../electron/core/config/retired-keys.ts';

test.each([...retiredKeys])('%s', (key, sentence) => {
  const [section = '', inner] = key.split('.');
  const data = { [section]: inner ? { [inner]: { anything: true } } : { anything: true }, status: { detail: false } };
  const { document, problems, warnings } = checkDocument(data, 'config.yaml', () => 7);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([`${key} has no effect. ${sentence} (line 7)`]);
  expect(document?.status.detail).toBe(false);
});
