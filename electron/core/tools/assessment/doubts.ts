/**
 * Reasons to doubt that a tool only reads, although its name and first sentence say so: parameters whose text may be run,
 * switches and choices that cause changes, and actions later in the description. Each reason makes the tool moderate.
 */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { choicesOf, separated } from './choices.ts';
import { isDangerousVerb } from './effects.ts';
import { isDangerousElsewhere, isForeignDanger } from './languages.ts';
import { type Parameter, parametersOf, takesText } from './schema-parameters.ts';
import { laterActing } from './verbs.ts';
import { nameWords, sentenceWords } from './words.ts';

/** Names of parameters for commands and code, in the languages that the word lists know. */
const foreignCode =
  /^(?:befehle?|kommandos?|anweisung|skript|commande|requete|instruction|comandos?|consulta|sentencia|komut|sorgu|perintah|polecenie|prikaz|команда|запрос|скрипт|код|命令|指令|脚本|代码|语句|コマンド|スクリプト|コード|명령|명령어|스크립트|코드|أمر|الأمر|كود|כמנדה|פקודה|कमांड|आदेश)$/u;
const plainCode =
  /^(?:sql|rawsql|command|commands|cmd|cmdline|commandline|script|javascript|js|shell|bash|sh|eval|graphql|mutation|pipeline|method|httpmethod|verb|httpverb)$/;
/** Matches descriptions of text that is run, but not of documents that contain code, such as a code sample. */
const runs =
  /\b(?:sql (?:where|expression|statement|fragment|clause|query|code)|(?:raw|free-?form|arbitrary) (?:sql|code|commands?|queries|query)|where clause|(?:shell|bash|terminal|command[- ]line) commands?|(?:python|javascript|js|shell|ruby|groovy|lua) (?:expression|code|script|snippet) (?:that is |to be |to |which is )?(?:run|execut|evaluat)\w*|(?:is|to be|gets|will be) (?:evaluated|executed)|(?:or|be) (?:an? )?mutations?|http (?:verb|method))\b/i;
const foreignRuns =
  /(?:ausgeführt|auszuführen|exécut|ejecut|executad|eseguit|wykona|выполн|çalıştır|dijalankan|执行|執行|実行|실행|تنفيذ)/iu;

/** Switches that cause changes: `delete`, `purge_after`. `include_deleted` only selects, and `remove_duplicates` only formats. */
const acting =
  /^(?:(?:delete|purge|wipe|erase|destroy|transfer|send|publish|execute)\b|(?:remove|drop|overwrite)(?:$| (?:after|on|when|it|original|source)\b))/;
const actingChoice = /^(?:delete|destroy|purge|wipe|erase|drop|transfer|execute)(?![a-z])/i;
const sendsAway = /^(?:webhook|callback|notify|forward)(?:url|uri|to|email)?$/;

/**
 * A later statement that the tool changes what it has read. A relative clause only describes what it reads, and so does
 * "are removed after 30 days".
 */
const doneToIt =
  /(?<!\b(?:that|which|who|if|when|whether) )(?!are (?:deleted|removed|purged|erased) after \d{1,4} (?:day|week|month|year)s?\b)\b(?:is|are|will be|gets) (?:then |also |afterwards |permanently )*(?:deleted|removed|purged|erased|destroyed|wiped|emailed|mailed|transferred|overwritten)\b/i;
/** Matches statements that the tool executes code in its arguments. */
const usesCode =
  /\b(?:via|by|using|through|with|runs?|executes?) (?:your |custom |procedural )?(?:js|javascript|typescript|python|luau?|ruby|bash|shell) (?:code|scripts?|snippets?)\b/i;
const sideEffect = /\bside[- ]effects?:\s*(?!(?:none|no)\b(?![^.]*\b(?:except|but|besides|other|apart|undo)\b))/i;
const alsoActs =
  /(?:\band |[,;] (?:and |then )?)(?:permanently |also |then |immediately )*(?:deletes|removes|purges|erases|wipes|mails|emails|transfers|forwards|pays|closes|sends) (?:it|them|the|all|every|to)\b/i;

/**
 * "And" or "then" in languages that use the same alphabet, before the verb of a second action. Without `\p{L}`, which
 * takes tens of milliseconds to compile when case is ignored.
 */
const secondVerb =
  /\b(?:lalu|kemudian|dan|og|och|und|dann|et|puis|y|luego|e|depois|poi|oraz|potem|potom|ve)\s+([^\s.,;:!?]{4,})/gi;
const inPlainText =
  /\b(?:passwords?|credentials|secrets|private keys?|tokens)\b[^.]{0,30}\bin (?:plain|clear)[- ]?text\b/i;

const isFilter = /^\W*(?:filters? by |(?:http )?method filter$)/i;

/** Up to one reason for each parameter, and one for the description. */
export function doubts(definition: ToolDefinition, text: string): string[] {
  const parameters = parametersOf(definition.inputSchema);
  const sends = parameters.some(({ plain }) =>
    /^(?:url|uri|path|endpoint|route|body|data|payload|headers?)$/.test(plain),
  );
  const found = parameters.flatMap((parameter) => doubtOf(parameter, sends) ?? []);
  const later = text.slice(0, 4000);
  const phrase = [usesCode, doneToIt, sideEffect, alsoActs, inPlainText].flatMap(
    (statement) => statement.exec(later)?.[0] ?? [],
  )[0];
  if (phrase) found.push(`its description says "${phrase.replace(/^\W+/, '').trim()}"`);
  else found.push(...foreignAction(later.slice(0, 600)));
  return found;
}

function doubtOf({ name, plain, schema }: Parameter, sends: boolean): string | undefined {
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const names = separated(choices);
    const acts = choices.find((choice, index) => actingChoice.test(names[index] ?? choice) || isForeignDanger(choice));
    return acts && `its parameter "${name}" offers "${acts}"`;
  }
  if (schema.type === 'boolean')
    return acts(nameWords(name)) ? `its parameter "${name}" may do more than read` : undefined;
  if (sendsAway.test(plain)) return `its parameter "${name}" sends the result elsewhere`;
  if (!takesText(schema)) return undefined;
  const said = typeof schema.description === 'string' ? schema.description.slice(0, 500) : '';
  // A list of requests can be filtered by their method.
  if (!sends && /^(?:http)?(?:method|verb)$/.test(plain) && isFilter.test(said)) return undefined;
  const isCode = plainCode.test(plain) || foreignCode.test(plain) || runs.test(said) || foreignRuns.test(said);
  return isCode ? `its parameter "${name}" may be code, a query or a command` : undefined;
}

/** Whether a switch with this name makes the tool act: `reboot`, `stop_idle`, but not `include_deleted`. */
function acts(name: string[]): boolean {
  const [first = ''] = name;
  const selects =
    /^(?:remove|drop|strip|clear|overwrite|start|add|merge|complete|close|write|evaluate|enable|disable)$/;
  return acting.test(name.join(' ')) || (!selects.test(first) && (isDangerousVerb(first) || laterActing.has(first)));
}

function foreignAction(text: string): string[] {
  const joined = [...text.matchAll(secondVerb)].map(([, verb = '']) => verb.toLowerCase()).find(isDangerousElsewhere);
  const word = joined ?? sentenceWords(text).find(isForeignDanger);
  return word ? [`its description says "${word}"`] : [];
}
