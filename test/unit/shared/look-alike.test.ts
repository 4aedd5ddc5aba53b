import { expect, it } from 'vitest';
import { differenceTo } from '../../../shared/look-alike.ts';

it.each([
  ['anna@acrne.com', 'anna@acme.com', ['anna@ac', 'rn', 'e.com']],
  ['anna@acme.com', 'anna@acrne.com', ['anna@ac', 'm', 'e.com']],
  ['аnna@acme.com', 'anna@acme.com', ['', 'а', 'nna@acme.com']],
  ['anna@acme.co', 'anna@acme.com', ['anna@acme.co', '', '']],
  ['aab', 'ab', ['a', 'a', 'b']],
  ['😀x', '😁x', ['', '😀', 'x']],
  ['same', 'same', ['same', '', '']],
])('%s differs from %s in its marked part', (text, other, parts) => {
  const { before, middle, after } = differenceTo(text, other);
  expect([before, middle, after]).toEqual(parts);
});
