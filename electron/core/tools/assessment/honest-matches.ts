/**
 * Recognizes matches of the patterns of tool poisoning that are honest help. Works in linear time, because the server chooses
 * the text.
 */

export const forgets = 'tells the agent to forget its instructions';
export const hides = 'tells the agent to hide something from the user';
export const operates = 'addresses the agent as if it were its operator';
export const secrets = 'asks for secrets';
export const conceals = 'hides text from view';

/** Words that match a pattern, and the sentence and the text around them. */
export interface Match {
  text: string;
  sentence: string;
  words: string;
  pattern: RegExp;
}

const negation =
  /\b(?:do not|don't|never|must not|should not|cannot|can't|not allowed|refus\w+|reject\w*|forbid\w*|disallow\w*|block\w*|prohibit\w*|outside|denied|won't|will not|avoid)\b/i;
const doubleNegation = /\b(?:forget|hesitate|fail|omit|skip|neglect|unless|without)\b/i;

/** Whether the sentence forbids what it names, as in "Do not include API keys." */
const isForbidden = ({ sentence }: Match) => negation.test(sentence) && !doubleNegation.test(sentence);

const told = /^.*?\b(?:tell|inform|notify|alert|let|warn|mention|reveal|disclos|show)\w*/is;
const hearer = /\b(?:(?:to|from) )?(?:the |any )?(?:users?|humans?|person|people|anyone)\b/gi;
const unlessAsked = /\bunless (?:(?:explicitly|specifically|the|they|users?) )*(?=ask|request)/i;
const detail =
  /^(?:(?:about|any|its|of|the|their) )*(?:(?!that |what |you )[\w-]+ )?(?:columns|dates?|fields|hashes|identifiers?|ids?|metadata|slugs|status(?:es)?|timestamps|uuids?)$/i;

/** Whether the sentence leaves out only details such as IDs, and only until the user asks for them. */
function isBrief({ sentence, words }: Match): boolean {
  const [hidden = '', condition] = sentence.slice(sentence.indexOf(words)).split(unlessAsked);
  const parts = hidden
    .replace(told, '')
    .replace(hearer, '')
    .split(/,|\b(?:and|or)\b/);
  const named = parts.map((part) => part.trim()).filter((part) => part !== '');
  return condition !== undefined && named.length > 0 && named.every((part) => detail.test(part));
}

/** As an argument of a call, or as an example. */
const quotation =
  /((?:[({][^.(){}]{0,100}[:=]|\b(?:such as|like|e\.g\.,?|for example,?|classifies|detects?|flags?|phrases?)) ?)(?:"[^"\n]{0,200}"|“[^”\n]{0,200}”|`[^`\n]{0,200}`|'[^'\n]{0,200}'(?!\w))/gi;
const detects = /\b(?:classif\w+|detect\w*|guardrails?|jailbreaks?|injections?)\b/i;
const commands = /\b(?:always|apply|comply|execute|follow|must|now|obey|perform|then)\b/i;

/** Whether the sentence quotes what a detector finds. */
function isQuoted({ sentence, pattern }: Match): boolean {
  const rest = sentence.replace(quotation, '$1');
  return !pattern.test(rest) && detects.test(sentence) && !commands.test(rest);
}

/** Whether the text names the condition of a comment in a mail for Outlook, without such a comment. */
const isConditional = ({ text, words }: Match) =>
  /^<!--\[if [^<>]*$/.test(words) && !/--!?>|^[ \t>*-]{0,40}<!--/m.test(text);

const tests: Record<string, (match: Match) => boolean> = {
  [forgets]: isQuoted,
  [operates]: isQuoted,
  [hides]: isBrief,
  [secrets]: isForbidden,
  [conceals]: isConditional,
};

/** Whether the match of a pattern with this finding is honest. */
export const isHonest = (says: string, match: Match): boolean => tests[says]?.(match) ?? false;
