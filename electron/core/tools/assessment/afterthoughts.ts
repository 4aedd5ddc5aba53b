/**
 * Actions in the description of a tool whose name and first words only read: a clause with another verb, a phrase such as
 * "gets rid of", or text in which no word is known.
 */
import { effectOf, isDangerousVerb, isVerb } from './effects.ts';
import { foreignEffect, signsIn } from './languages.ts';
import { words } from './verb-row.ts';
import { alsoNouns, readingEnds } from './verbs.ts';
import { basicForms, firstSentence, sentenceWords } from './words.ts';

const maxText = 1_500;

/** A few words between a verb and its particle. */
const gap = '(?:[\\w-]+ ){0,3}';
/** Verbs that act only with a particle or an object. */
const phrases = new RegExp(
  `\\b(?:${[
    'get(?:s|ting)? rid of|do(?:es|ing|ne)? away with|free(?:s|ing) (?:up )?(?:\\w+ )?(?:space|memory)',
    `throw(?:s|n|ing)? ${gap}(?:away|out)|call(?:s|ed|ing) ${gap}off|(?:shut|close)(?:s|d|ting)? ${gap}down`,
    `(?:power|switch|turn)(?:s|e?d|e?s|ing) ${gap}(?:down|off)|(?:take|takes|taken|taking) ${gap}(?:down|offline)`,
    `(?:let|lets|letting) ${gap}go|puts? ${gap}(?:back|online|up for)|hand(?:s|ed|ing) ${gap}over`,
    `give(?:s|n)? ${gap}away|pay(?:s|ing)? ${gap}(?:for|out|off)|sign(?:s|ed) ${gap}up|signs? off on`,
    '(?:kick|lock)(?:s|ed) (?:[\\w-]+ )?out|wip(?:es|ed) out|cleans? out|self-destructs?|for sale|goes? out to',
    "on (?:your|their|his|her|the user's|my) behalf|in (?:your|the user's) name|in the name of|lets? (?:him|her|them|everyone|users|others) know",
    'no longer (?:exists?|works?|be found)|stop(?:s|ped)? working|(?:is|are) gone',
    '(?:after|once) (?:being )?(?:it (?:is|was|has been) )?(?:read|viewed|fetched|opened|downloaded)',
    '(?:after|on|upon) (?:reading|viewing|fetching|opening|downloading)(?=\\W*(?:[.;]|$))',
  ].join('|')})\\b`,
  'i',
);
/**
 * Matches what is done to the things that the tool reads. A relative clause only describes them, and so does "are removed after
 * 30 days".
 */
const doneTo =
  /(?<!\b(?:that|which|who|if|when|whether) )(?!are (?:deleted|removed|purged|erased) after \d{1,4} (?:day|week|month|year)s?\b)\b(?:is|are|will be|gets) (?:then |also |afterwards |\w{1,20}ly ){0,3}(?:\w{1,20}ed,? (?:and )?){0,3}(?:archived|banned|billed|blocked|booked|bought|brought|charged|completed|corrected|credited|debited|deleted|destroyed|discarded|drained|emailed|emptied|erased|filed|forwarded|held|informed|mailed|moved|notified|overwritten|paid|posted|purged|removed|reserved|retired|revoked|rotated|shredded|signed|sold|suspended|terminated|told|transferred|trashed|unsubscribed|uploaded|wiped|withdrawn)\b/i;
/** Matches what lasts, or happens because of the call. */
const lasting =
  /\b(?:is|are) cancell?ed\b|\bfrom (?:now|then|today|that (?:moment|point)|this (?:moment|point)) on\b|\bby (?:this|the) (?:call|request)\b|\bas a consequence of (?:this|the) (?:call|look|lookup|query|read|request|review|view)\b|\bbecomes? (?:\w{1,20}ly )?(?:active|effective|live|permanent|public|resolvable|valid)\b|\bcounts? as (?:acknowledged|accepted|approved|confirmed|consumed|delivered|handled|signed|acceptance|approval|consent|signing)\b|\bsupersedes?\b|\binto the (?:bin|trash)\b/i;

/** Verbs that say something about the tool or its result, in clauses such as "and requires a token". */
const saying = words(
  `accept allow apply begin belong come consist contain cover default depend differ do emit enforce exceed exclude expect explain
   expose feature follow give go group guide handle have help honor include indicate inherit interpret keep know let limit link look
   make mark match mean mention need note offer order own page pass point prefer present produce provide reach reflect reject
   relate remain render repeat represent request require resolve respect return reveal run say see serve set sit span specify start stay
   stop suggest summarize supply support surface take tell treat try turn use vary wait walk want warn work wrap yield flag save`,
);

const clause =
  /(?:\band|\bthen|[.,;:])\s+(?:(?:then|also|afterwards?|finally|immediately|silently|automatically|permanently|(?:calling|using|reading|viewing|opening|fetching|doing) (?:this|it|so)|(?:calling|using|reading|viewing|opening|fetching)|it|this)\s+)*([a-z]{2,18}[a-rt-z]s)\s+(it|its|them|those|these|their|your|everyone|everything|the|an?)\b/gi;

/** Returns the words of the description that say what the tool does besides reading. */
export function afterthought(description: string): string | undefined {
  const text = description.slice(0, maxText);
  const phrase = happening(text) ?? requested(text);
  if (phrase !== undefined) return phrase;
  const found = [...text.matchAll(clause)].find(({ 0: said, 1: verb = '', 2: object = '', index }) => {
    const joinsNouns = /s\s$/.test(text.slice(Math.max(index - 2, 0), index));
    return isAction(verb, object, /^(?:and|then)/i.test(said) && !joinsNouns);
  });
  return found?.[0];
}

/** Finds what a text about a tool, a parameter or a result says that happens. */
export const happening = (text: string): string | undefined =>
  [phrases, doneTo, lasting].flatMap((pattern) => pattern.exec(text)?.[0] ?? [])[0];

/** An unknown verb before "the" counts only after "and", because elsewhere it may be a noun: "plus the total". */
function isAction(word: string, object: string, isJoined: boolean): boolean {
  const forms = basicForms(word.toLowerCase());
  if (forms.some((form) => saying.has(form))) return false;
  const verb = forms.find(isVerb);
  if (verb === undefined) return isJoined || !/^(?:an?|the|its|their|your)$/i.test(object);
  return !alsoNouns.has(verb) && effectOf(verb, [], [word, object], true) !== 'reads';
}

/** The request that a description consists of: "GET /machines/{id}/poweroff". */
function requested(text: string): string | undefined {
  const [request, path = ''] = /^\W*(?:GET|POST|PUT|PATCH|DELETE|HEAD) (\/\S{1,200})/.exec(text) ?? [];
  return sentenceWords(path).some(isDangerousVerb) ? request : undefined;
}

const functionWords = words(
  'a an the of for in on by to with from and or all your this that is are at as it its into within given using about any each available',
);
/** Some English function words are words in other languages, too. */
const fewest = 1 / 6;
const foreignWords = words(
  `bir bu das dei del dem den der det di die du een ein eine el est et han het il ist je jest kan las le les
   los met mit nie não och og para por pour que sie som sono sur um un una und van ve vom von werden wird wordt yang
   és não lo gli dal dla jsou ktor się są til til på av från der`,
);

/**
 * Whether the description goes on, after its first sentence, in a language other than English. The word lists of other languages
 * find what a sentence is mainly about, but not each of the ways in which a further one can say that something happens.
 * Chinese is an exception, because its verbs have one form, which is found anywhere.
 */
export function goesOnInAnotherLanguage(description: string): boolean {
  const start = description.trimStart().slice(0, maxText);
  // Thai has no sign at the end of a sentence.
  const [first = ''] = firstSentence(start).split(/(?<=[\u0e00-\u0e7f]) /, 1);
  const rest = start.slice(first.length);
  const alphabetic = rest.match(/\p{L}/gu) ?? [];
  const fromElsewhere = alphabetic.filter((character) => /(?![\p{Script=Latin}\p{Script=Han}])\p{L}/u.test(character));
  if (fromElsewhere.length > 4 && fromElsewhere.length * 4 > alphabetic.length) return true;
  const said = sentenceWords(rest);
  const english = said.filter((word) => functionWords.has(word)).length;
  const foreign = said.filter((word) => foreignWords.has(word) || /(?![a-z\p{Script=Han}])\p{L}/u.test(word)).length;
  return foreign > Math.max(1, english);
}

/** Whether no word shows what the tool does. The text may be in any language. */
export function isUnreadable(description: string): boolean {
  const text = description.trim();
  const said = sentenceWords(text.slice(0, 200));
  if (said.length === 0) return false;
  const isKnown = said.some(
    (word) =>
      basicForms(word).some(isVerb) || readingEnds.has(word) || word === 'version' || foreignEffect(word) === 'reads',
  );
  const known = said.filter((word) => functionWords.has(word)).length;
  return (
    !isKnown && known < 2 && known < said.length * fewest && !signsIn(text).some(({ effect }) => effect === 'reads')
  );
}
