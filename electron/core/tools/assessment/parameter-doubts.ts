/**
 * Reasons to doubt that a tool only reads, in one of its parameters: text that may be run, a switch or a choice that causes
 * changes, a value to store, a place to send the result to.
 */
import { isObject } from '../../../../shared/is-object.ts';
import type { Effect } from '../../../../shared/model/tool.ts';
import { choicesOf, selectsAction, separated } from './choices.ts';
import { effectOf, isDangerousVerb, isVerb } from './effects.ts';
import { isDangerousElsewhere, isForeignDanger } from './languages.ts';
import { readingWords } from './reading-words.ts';
import { type Parameter, takesText } from './schema-parameters.ts';
import { words } from './verb-row.ts';
import { alsoNouns } from './verbs.ts';
import { basicForms, nameWords, readable, sentenceWords } from './words.ts';

/** Names of parameters for commands and code, in the languages that the word lists know. */
const foreignCode =
  /^(?:befehle?|kommandos?|anweisung|skript|commande|requete|instruction|comandos?|consulta|sentencia|komut|sorgu|perintah|polecenie|prikaz|команда|запрос|скрипт|код|命令|指令|脚本|代码|语句|コマンド|スクリプト|コード|명령|명령어|스크립트|코드|أمر|الأمر|كود|כמנדה|פקודה|कमांड|आदेश)$/u;
const plainCode =
  /^(?:sql|rawsql|args|argv|cliargs|extraargs|subcommand|command|commands|cmd|cmdline|commandline|script|javascript|js|shell|bash|sh|eval|graphql|mutation|pipeline|method|httpmethod|verb|httpverb)$/;
/** Matches descriptions of text that is run, but not of documents that contain code, such as a code sample. */
const runs =
  /\b(?:sql (?:where|expression|statement|fragment|clause|query|code)|(?:raw|free-?form|arbitrary) (?:sql|code|commands?|queries|query)|where clause|(?:shell|bash|terminal|command[- ]line) commands?|(?:bash|groovy|javascript|jq|js|lua|perl|php|powershell|python|ruby|shell|typescript) (?:expression|code|one-liner|program|script|snippet|statement)s?|graphql (?:document|mutation|operation|query)|program to (?:run|start)|(?:is|to be|gets|will be|,) ?(?:evaluated|executed)|eval\(|\/bin\/(?:ba|z)?sh\b|(?:shell|interpreter) (?:evaluates|executes|runs)|(?:given|handed|passed) (?:on )?to \w+ (?:as (?:is|they are)|verbatim|unchanged)|(?:or|be) (?:an? )?mutations?|http (?:verb|method))\b/i;
const foreignRuns =
  /(?:ausgeführt|auszuführen|exécut|ejecut|executad|eseguit|wykona|выполн|çalıştır|dijalankan|执行|執行|実行|실행|تنفيذ)/iu;

/** Switches that cause changes: `delete`, `purge_after`. `include_deleted` only selects, and `remove_duplicates` only formats. */
const actingSwitch =
  /^(?:(?:delete|purge|wipe|erase|destroy|transfer|send|publish|execute)\b|(?:remove|drop|overwrite)(?:$| (?:after|on|when|it|original|source)\b))/;
/** Verbs of switches that only change how a tool reads or what it shows: `followRedirects`, `startAtZero`. */
const viewing = words(
  'accept add archive clear close complete disable drop enable end evaluate expand expire focus follow hover index merge overwrite play populate remove resize save scale scroll seek select skip start store strip take turn use wait write',
);
/** First words of switches that select what is read: `include_reset`. */
const selecting = words(
  'all allow auto by can exclude fetch force get has hide include is list no only return should show skip use was with without',
);
/** Last words of switches that act: `power_off`, `go_live`, `forget_me`. */
const particle = /^\S+ (?:away|down|live|off|them|it|me)$/;
/** Verbs for what is added to the result. */
const adding = words('add append apply compose compute import insert make prepend put set');
const determiners = words('a all an any each every everything it its that the their them these this those');
/** Names of parameters for something to store: `set`, `newStatus`. */
const storing =
  /^(?:(?:set|answer|apply|approve|assign|create|insert|merge|move|overwrite|rename|replace|update|upsert|write)$|(?:new|desired) )/;
const storable = /^(?:new)?(?:body|contents?)$/;
const sendsAway =
  /^(?:cc|bcc)|^(?:webhook|callback|notify|forward)(?:url|uri|to|email)?$|^(?:to|cc|bcc)?recipients$|hooks?$/;
/** Names of parameters for what happens after reading: `then`, `afterSearch`, `on_miss`. */
const consequence = /^(?:then|after|afterwards|before|next|finally|on|else|followup)$/;
/** Names of parameters whose values select what is read, although they may be verbs. */
const filters =
  /(?:status|state|types?|sort|sortby|orderby|metrics?|language|lang|filters?|category|categories|scopes?|events?|shields|attributes)$/;
const actingChoice = /^(?:delete|destroy|purge|wipe|erase|drop|transfer|execute)(?![a-z])/i;
/** A pattern for choices: `^(get|delete)$`. */
const choicePattern = /^\^?\(?[\w|:?-]+\)?\$?$/;
/** Explanations of choices in a description: "d = destroy", "0: read, 1: purge". */
const explained = /(?:^|[\s,;("'`])[\w-]{1,12}["'`]?\s*(?:=|–|->|→|(?<=\b\d):)\s*["'`]?([a-z]{3,20})/gi;
const numbered = /(?:^|[\s,;(])\d{1,3}\s+([a-z]{3,20})/gi;
const purpose = /\bto ([a-z]{3,20}) (?:the|it|them|all|every|everything|this|that|these|those)\b/gi;
const consequences =
  /\b\d{1,3} [a-z]{3,20}s (?:it|them)\b|\b(?:goes|is (?:sent|forwarded)) to\b|\bmethod\b[^.]{0,40}\bbody\b/i;
const stores = /\b(?:new value|value to (?:assign|set|store|write)|gets this value|merged? in)\b/i;
const isFilter = /^\W*(?:filters? by |(?:http )?method filter$)/i;

interface ToolFacts {
  /** Another parameter is an address or a body. */
  sends: boolean;
  /** The tool's name begins with a verb that needs no text to work on, such as `get`. */
  retrieves: boolean;
}

export function doubtOf(parameter: Parameter, { sends, retrieves }: ToolFacts): string | undefined {
  const { name, plain, schema } = parameter;
  if (retrieves && storable.test(plain) && takesText(schema))
    return `its parameter "${name}" may be something to store`;
  const nameOf = nameWords(name);
  const acts = choiceThatActs(parameter, nameOf);
  if (acts !== undefined) return `its parameter "${name}" offers "${acts}"`;
  const said = typeof schema.description === 'string' ? readable(schema.description.slice(0, 500)) : '';
  const isChosen = choicesOf(schema).length > 0;
  if (schema.type === 'boolean' && startsAction(said)) return `its parameter "${name}" may do more than read`;
  if (actsUnasked(schema) && !nameOf.some((word) => readingWords.has(word)))
    return `its parameter "${name}" may do more than read`;
  if (schema.type === 'boolean' || storing.test(nameOf.join(' ')) || isPlainVerb(nameOf))
    return isActing(nameOf) ? `its parameter "${name}" may do more than read` : undefined;
  const explains = [explained, numbered, purpose].flatMap((pattern) => [...said.matchAll(pattern)]);
  const danger =
    explains.find(([, word = '']) => isDangerousForm(word))?.[0].trim() ??
    consequences.exec(said)?.[0] ??
    stores.exec(said)?.[0];
  if (danger) return `the description of its parameter "${name}" says "${danger}"`;
  if (typeof schema.default === 'string' && isDangerousVerb(sentenceWords(schema.default.slice(0, 100))[0] ?? ''))
    return `its parameter "${name}" is "${schema.default.slice(0, 60)}" by default`;
  if (isChosen) return undefined;
  if (sendsAway.test(plain) || isTarget(nameOf, schema)) return `its parameter "${name}" sends the result elsewhere`;
  if (!takesText(schema)) return undefined;
  // A list of requests can be filtered by their method.
  if (!sends && /^(?:http)?(?:method|verb)$/.test(plain) && isFilter.test(said)) return undefined;
  const isCode = plainCode.test(plain) || foreignCode.test(plain) || runs.test(said) || foreignRuns.test(said);
  return isCode ? `its parameter "${name}" may be code, a query or a command` : undefined;
}

/** Whether the parameter may act although the agent leaves it out, or has parts of its own. */
const actsUnasked = ({ type, default: given, enum: choices, properties }: Record<string, unknown>) =>
  (type === 'boolean' && given === true) ||
  (Array.isArray(choices) && given !== undefined && given !== choices[0]) ||
  (type === 'object' && isObject(properties));

const isDangerousForm = (word: string) => basicForms(word.toLowerCase()).some(isDangerousVerb);

/** Whether the name is a list of things to act on, such as `kick`. */
const isPlainVerb = ([first = '', ...rest]: string[]) => rest.length === 0 && isDangerousVerb(first);

/** Whether a parameter's name says that the tool acts: `reboot`, `stop_idle`, `make_public`, `factory_reset`. */
function isActing(name: string[]): boolean {
  const [first = ''] = name;
  const last = name.at(-1) ?? '';
  const full = name.join(' ');
  if (storing.test(full) || actingSwitch.test(full) || particle.test(full)) return true;
  const isEnd = name.length > 1 && !selecting.has(first) && acts(last, effectOf(last, [last], []));
  return isEnd || acts(first, effectOf(first, name, []));
}

function acts(verb: string, effect: Effect | undefined): boolean {
  if (viewing.has(verb) || alsoNouns.has(verb)) return false;
  return effect !== undefined && effect !== 'reads' && effect !== 'reveals secrets';
}

/** Whether the description of a switch says what it does besides reading: "Opens the port to the internet." */
function startsAction(said: string): boolean {
  const [word = '', object = ''] = sentenceWords(said.slice(0, 80));
  const verb = basicForms(word).find(isVerb);
  if (verb === undefined || viewing.has(verb) || adding.has(verb) || !determiners.has(object)) return false;
  const effect = effectOf(verb, [], [word, object], true);
  return effect !== undefined && effect !== 'reads' && effect !== 'reveals secrets';
}

/** Whether the name is a place for the result, such as `save_to`, but not `created_to` or `date_to`. */
const isTarget = (name: string[], { type }: Record<string, unknown>) =>
  type === 'string' &&
  name.at(-1) === 'to' &&
  /^(?!at$|date|day|from$|time|up$|year).*[^e].$|^.*e[^d]$/.test(name.at(-2) ?? '');

/** The choice that acts, by its name, its title, or in the pattern for all choices. */
function choiceThatActs(parameter: Parameter, name: string[]): string | undefined {
  const { plain, schema } = parameter;
  const choices = choicesOf(schema);
  const parts = separated(choices);
  const happens = consequence.test(name[0] ?? '');
  const found = choices.find((choice, index) => {
    const part = parts[index] ?? choice;
    if (actingChoice.test(part) || isForeignDanger(choice)) return true;
    if (selectsAction(parameter) && isDangerousElsewhere(choice)) return true;
    const [verb = ''] = nameWords(part.slice(0, 100));
    if (happens && isVerb(verb) && !alsoNouns.has(verb)) return effectOf(verb, [verb], []) !== 'reads';
    return isDangerousVerb(verb) && !filters.test(plain);
  });
  if (found !== undefined) return found;
  const pattern = typeof schema.pattern === 'string' && schema.pattern.length < 200 ? schema.pattern : '';
  const inPattern = choicePattern.test(pattern) ? sentenceWords(pattern).find(isDangerousVerb) : undefined;
  return inPattern ?? titlesOf(schema).find((title) => isDangerousForm(sentenceWords(title)[0] ?? ''));
}

/** Titles and descriptions of choices: `oneOf: [{const: 'x', title: 'Remove the report'}]`. */
function titlesOf(schema: Record<string, unknown>): string[] {
  return [schema.oneOf, schema.anyOf].flatMap((options) =>
    Array.isArray(options)
      ? options.flatMap((option) =>
          isObject(option) && option.const !== undefined
            ? [option.title, option.description].filter((text) => typeof text === 'string')
            : [],
        )
      : [],
  );
}
