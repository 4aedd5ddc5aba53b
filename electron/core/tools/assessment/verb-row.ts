/** One row of the verb lists: the effect that verbs imply, and the context in which they imply it. */

/** The reason why a tool is dangerous, or that it reads or makes ordinary changes. */
export type Effect =
  | 'destroys'
  | 'overwrites'
  | 'runs code'
  | 'sends'
  | 'spends'
  | 'changes access'
  | 'reveals secrets'
  | 'misleads'
  | 'goes live'
  | 'moves things in the world'
  | 'changes'
  | 'reads';

export interface VerbRow {
  effect: Effect;
  verbs: Set<string>;
  /** Counts only together with one of these words in the name or first sentence. */
  only?: Set<string>;
  /** Does not count together with one of these words in the name. */
  except?: Set<string>;
  /** Does not count if the first sentence contains one of these words. */
  exceptSaid?: Set<string>;
  /**
   * Does not count if the name continues with "from" and one of these words: something removed from a group still
   * exists.
   */
  outOf?: Set<string>;
  /** Counts only in the name, because descriptions often begin with promotional text ("Unlock a world of …"). */
  inName?: boolean;
}

export function row(
  effect: Effect,
  verbs: string,
  more: { only?: string; except?: string; exceptSaid?: string; outOf?: string; inName?: boolean } = {},
): VerbRow {
  const { only, except, exceptSaid, outOf, inName } = more;
  return {
    effect,
    verbs: words(verbs),
    ...(only !== undefined && { only: words(only) }),
    ...(except !== undefined && { except: words(except) }),
    ...(exceptSaid !== undefined && { exceptSaid: words(exceptSaid) }),
    ...(outOf !== undefined && { outOf: words(outOf) }),
    ...(inName !== undefined && { inName }),
  };
}

export function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
