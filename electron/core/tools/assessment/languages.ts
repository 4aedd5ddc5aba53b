/**
 * Effects of words in languages other than English. Names and descriptions may be in any language, and a tool with a
 * German description can be as dangerous as one with an English description.
 */

import type { Effect } from '../../../../shared/model/tool.ts';
import { alphabetic, signs } from './stems.ts';
import { dangerousEffects } from './verbs.ts';

interface Stem {
  effect: Effect;
  stem: string;
}

const stems: Stem[] = alphabetic.flatMap(([effect, list]) =>
  list.split(' ').map((stem) => ({ effect, stem: withoutAccents(stem) })),
);
const isPrefix = ({ stem }: Stem) => !stem.endsWith('.') && (stem.length >= 4 || !/^[a-z]+$/.test(stem));
const wholeWords = new Map(
  stems.filter((entry) => !isPrefix(entry)).map(({ stem, effect }) => [stem.replace('.', ''), effect]),
);
/** Stems by their first two characters. */
const prefixes = Map.groupBy(stems.filter(isPrefix), ({ stem }) => stem.slice(0, 2));
const signList: Stem[] = signs.flatMap(([effect, list]) => list.split(' ').map((stem) => ({ effect, stem })));

/** Also in lower case. */
export function withoutAccents(text: string): string {
  return text
    .replace(/[ıİ]/g, 'i')
    .replace(/[łŁ]/g, 'l')
    .replace(/[đĐ]/g, 'd')
    .replace(/ø/gi, 'o')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
}

/** "List" is both a verb and a noun in these languages; as an object, it is not evidence. */
const listNouns = /^(?:list[aey]?|listen|lijst|daftar|elenc(?:o|hi)|спис\p{L}*|λιστα|قائمة|सूची)$/u;

export function isListNoun(word: string): boolean {
  return listNouns.test(withoutAccents(word));
}

/** The effect of a word in any of these languages; the longest stem wins. */
export function foreignEffect(word: string): Effect | undefined {
  const plain = withoutAccents(word);
  const whole = wholeWords.get(plain);
  if (whole) return whole;
  let best: Stem | undefined;
  for (const candidate of prefixes.get(plain.slice(0, 2)) ?? [])
    if (plain.startsWith(candidate.stem) && candidate.stem.length > (best?.stem.length ?? 0)) best = candidate;
  return best?.effect;
}

/** Whether the word is a dangerous verb in one of these languages, or begins like one. */
export function isDangerousElsewhere(word: string): boolean {
  const effect = foreignEffect(word);
  return effect !== undefined && dangerousEffects.has(effect);
}

/** Like `isDangerousElsewhere`, but only for words with non-English characters: English words may begin like foreign verbs. */
export function isForeignDanger(word: string): boolean {
  return (
    /[^\x20-\x7e]/.test(word) &&
    (isDangerousElsewhere(word) || signsIn(word).some((sign) => isDangerousSign(sign) && isVerbSign(word, sign.sign)))
  );
}

const isDangerousSign = ({ effect }: { effect: Effect }) => dangerousEffects.has(effect);

/** Maximum number of characters in a verb's ending. */
const longestEnding = 6;
const hasKanaOrHangul = /[\u3040-\u30ff\uac00-\ud7a3]/;

/** The sign for the main action in `text`: the first one in Chinese, the last one in Japanese and Korean. */
export function mainSign(text: string): { effect: Effect; sign: string } | undefined {
  const found = signsIn(text);
  if (!hasKanaOrHangul.test(text)) return found[0];
  const last = found.reduce<(typeof found)[number] | undefined>(
    (latest, sign) => (latest === undefined || sign.at > latest.at ? sign : latest),
    undefined,
  );
  // A reading verb is at the end; before another verb, it is a noun.
  return last?.effect === 'reads' && text.length - last.at - last.sign.length > longestEnding ? undefined : last;
}

const chineseClause =
  /[\s\p{P}]|并|且|然|后|再|和|及|与|以|或|时(?!间)|同时|直接|自动|立即|顺便|用于|来|去|就|便|将|把|给|从而|进而|随即/u;
/** Before these words, a sign is not a verb: "deploys an order", but not "deletes the records". */
const nounEnding = /^(?:单|状态|情况|时间)/;
const alsoNounSigns = new Set<Effect>(['goes live', 'spends']);
/**
 * With these, the sign is a noun only directly after a verb that reads, at the end: 查看删除日志, "views the deletion log".
 * Clearing is not: 清空历史 clears a history.
 */
const readBefore = /(?:查询|获取|查看|查詢|獲取)$/;
const recordEnding = /^(?:记录|历史|结果|日志|記錄|歷史|結果|日誌)(?:列表|详情|信息)?$/;

/** In 查询部署单 ("queries deployment orders"), 部署 is part of the object of 查询. */
function isChineseNoun(text: string, sign: string): boolean {
  const mayBeNoun = signList.some(({ stem, effect }) => stem === sign && alsoNounSigns.has(effect));
  const clauses = text.split(chineseClause).filter((clause) => clause.includes(sign));
  return clauses.every((clause) => {
    const [first] = signsIn(clause);
    const at = clause.indexOf(sign);
    const rest = clause.slice(at + sign.length);
    const isRecord = !/^清[空除]$/.test(sign) && readBefore.test(clause.slice(0, at)) && recordEnding.test(rest);
    const isNoun = isRecord || (mayBeNoun && nounEnding.test(rest));
    return first?.effect === 'reads' && first.sign !== sign && isNoun;
  });
}

/** Whether the sign occurs as a verb. In Japanese, most signs are nouns that become verbs: 招待リンク is a link, 招待します invites. */
export function isVerbSign(text: string, sign: string): boolean {
  if (!hasKanaOrHangul.test(text) && isChineseNoun(text, sign)) return false;
  if (!/[\u3040-\u30ff]/.test(text) || !/^[\u4e00-\u9fff]+$/.test(sign)) return true;
  return new RegExp(`${sign}(?:[しすさせりるっきくけまん]|[^\\p{L}]|$)`, 'u').test(text);
}

/** The effects, in order, of words in languages without spaces. 已 makes a word a participle: "already published". */
export function signsIn(text: string): { effect: Effect; sign: string; at: number }[] {
  if (!/[\u3040-\uffff]/.test(text)) return [];
  const withoutParticiples = text.replace(/已../g, '   ');
  return signList
    .map(({ effect, stem }) => ({
      effect,
      sign: stem,
      at: withoutParticiples[hasKanaOrHangul.test(text) ? 'lastIndexOf' : 'indexOf'](stem),
    }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at || other.sign.length - one.sign.length);
}
