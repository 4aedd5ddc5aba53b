/** Keys that a config document may still have, although Toolkeep no longer has what they set. */

/** By key, such as `results.maxImageSide` or the name of a whole section: what has replaced it, as a sentence. */
export const retiredKeys: ReadonlyMap<string, string> = new Map([
  ['results.maxImageSide', 'An image that is too large for a client is saved to a file and linked.'],
  ['search', 'Search always uses the built-in model, with a fixed weight.'],
]);
