/** Picks the language of a UI from the system's languages. */

/**
 * The first of the user's languages that the UI has, else English. `tags` are BCP 47 tags in order of preference. A tag
 * also accepts the same language with fewer subtags: `zh-Hant-TW` accepts `zh-Hant` and `zh`.
 */
export function pickLanguage(tags: readonly string[], has: (tag: string) => boolean): string {
  const accepted = tags.flatMap((tag) => {
    const parts = tag.split('-');
    return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  });
  return accepted.find((tag) => tag === 'en' || has(tag)) ?? 'en';
}
