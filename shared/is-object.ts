/** What came from elsewhere and may be anything: is it an object with keys, and neither a list nor null? */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
