/** The comparison of a package's recorded hash with its current one. */
import { expect, it } from 'vitest';
import { isSameContent } from '../../../electron/core/registry/integrity.ts';

it.each([
  ['the same hash', 'sha512-a', 'sha512-a', true],
  ['a weaker hash less', 'sha1-a sha512-a', 'sha512-a', true],
  ['a weaker hash more', 'sha512-a', 'sha1-a sha512-a', true],
  ['one of two recorded hashes', 'sha512-a sha512-b', 'sha512-b', true],
  ['another hash beside the recorded one', 'sha512-a', 'sha512-a sha512-b', false],
  ['another hash beside a weaker recorded one', 'sha1-a', 'sha1-a sha512-b', false],
  ['only a weaker hash', 'sha1-a sha512-a', 'sha1-a', false],
  ['no hash', 'sha512-a', '', false],
])('The hashes of a package with %s are compared: %s, %s, %s', (_what, recorded, found, expected) => {
  expect(isSameContent(recorded, found)).toBe(expected);
});
