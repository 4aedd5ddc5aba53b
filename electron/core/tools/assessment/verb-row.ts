/** One row of the verb lists: the effect that verbs imply, and the context in which they imply it. */
import type { Effect } from '../../../../shared/model/tool.ts';

export interface VerbRow {
  effect: Effect;
  verbs: Set<string>;
  /** Counts only together with one of these words in the name or first sentence. */
  only?: Set<string>;
  /** Counts only if the verb's objects in the name are of these kinds. */
  object?: Set<string>;
  /** Does not count if the verb's objects are of these kinds. */
  except?: Set<string>;
  /** Does not count if the verb's objects in the first sentence are of these kinds. */
  exceptSaid?: Set<string>;
  /**
   * Does not count if the name ends with "from" or "to" and one of these words: something removed from a group still
   * exists.
   */
  group?: Set<string>;
  /** Counts only in the name, because descriptions often begin with promotional text ("Unlock a world of …"). */
  inName?: boolean;
}

export function row(
  effect: Effect,
  verbs: string,
  more: { only?: string; object?: string; except?: string; exceptSaid?: string; group?: string; inName?: boolean } = {},
): VerbRow {
  const wordsOf = (list?: string) => (list === undefined ? undefined : words(list));
  return {
    effect,
    verbs: words(verbs),
    only: wordsOf(more.only),
    object: wordsOf(more.object),
    except: wordsOf(more.except),
    exceptSaid: wordsOf(more.exceptSaid),
    group: wordsOf(more.group),
    inName: more.inName,
  };
}

export function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
