/** The placeholders for stored secrets in a server config that a UI edits: `«hidden-1»`. */

export const hiddenSecret = (number: number): string => `«hidden-${number}»`;

export const isHiddenSecret = (text: string): boolean => /^«hidden-\d+»$/.test(text);

export const hasHiddenSecret = (text: string): boolean => text.includes('«hidden-');

export const replaceHiddenSecrets = (text: string, replace: (whole: string, number: number) => string): string =>
  text.replaceAll(/«hidden-(\d+)»/g, (whole, number) => replace(whole, Number(number)));
