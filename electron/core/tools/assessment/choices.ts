/** Evidence in parameters that choose what a tool does: a destructive choice, a list of ways to read. */
import { isObject } from '../../../../shared/is-object.ts';
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import type { Evidence, NameContext } from './evidence.ts';
import { isForeignDanger } from './languages.ts';
import { type Parameter, parametersOf } from './schema-parameters.ts';
import { words } from './verb-row.ts';

const choiceNames = new Set(
  `operation operations action actions method httpmethod op verb mode command subcommand type task function requesttype
   aktion befehl akcja operacja akce aksi tindakan eylem actie opération accion acción acao ação azione operación operação действие операция команда 操作 動作 动作 작업 동작 عملية إجراء`.split(
    /\s+/,
  ),
);
/** Names such as `updateMode` often select only a detail, so only dangerous choices count. */
const choiceEnd = /(?:mode|action|operation)$/;

export const routerNames = new Set([
  'command',
  'subcommand',
  'action',
  'operation',
  'method',
  'tool',
  'toolname',
  'function',
  'selectschema',
  'intent',
]);

/** Choices that make the tool dangerous, and choices that change something. */
const dangerousChoice =
  /^(?:delete|remove|drop|destroy|purge|kill|terminate|wipe|erase|send(?![_\-. ]?(?:text|keys?|input))|execute|exec|publish|pay|refund|transfer|revoke|grant|truncate|uninstall|shutdown|merge|abandon|force|hard|overwrite|reset|clean|prune|shell|rollback|deploy)(?:$|[^a-z])|(?:^|[_\-. ])(?:delete|destroy|remove|drop|purge|wipe)(?:$|[_\-. ])/i;
const actingChoice =
  /^(?:post|put|patch|create|update|add|set|write|insert|edit|rename|move|start|stop|restart|enable|disable|save|upload|apply|cancel|close|run|rerun|complete|assign|archive)(?:$|[^a-z])/i;

/** Choices that create something that costs money while it exists. */
const paidChoice = /^create[_\-. ]?(?:server|instance|vm|machine|cluster|droplet|database|volume|node)s?$/i;
const secretChoice = /^(?:password|totp|otp|secret|private[_-]?key|access[_-]?token|api[_-]?key|credentials?)s?$/i;
const readingChoice =
  /^(?:list|get|read|show|search|find|view|describe|inspect|status|info|count|help|history|current)(?:$|[^a-z])/i;

/** A string with a fixed set of values is a choice, wherever the values are defined. */
export function choicesOf(schema: Record<string, unknown>): string[] {
  const values: unknown[] = [];
  const items = isObject(schema.items) ? schema.items : {};
  for (const holder of [schema, items]) {
    if (Array.isArray(holder.enum)) values.push(...holder.enum);
    if (holder.const !== undefined) values.push(holder.const);
    for (const key of ['oneOf', 'anyOf', 'allOf'])
      if (Array.isArray(holder[key]))
        for (const option of holder[key])
          if (isObject(option)) values.push(...(Array.isArray(option.enum) ? option.enum : [option.const]));
  }
  return values.filter((value): value is string => typeof value === 'string');
}

export function choiceEvidence(parameter: Parameter, choices: string[], context: NameContext): Evidence | undefined {
  // An API client that saves a request lists HTTP methods without using them.
  const isData = context.keepsCode && context.changes && /^(?:http)?method$/.test(parameter.plain);
  const secret =
    context.returns &&
    choices.length > 1 &&
    !/(?:types?|filter|status|state)$/.test(parameter.plain) &&
    choices.find((choice) => secretChoice.test(choice));
  if (secret) return { effect: 'reveals secrets', reason: `its parameter "${parameter.name}" offers "${secret}"` };
  if (!selectsAction(parameter) || isData) return undefined;
  if (isSetEdit(choices, context) || (isPatch(choices) && parameter.depth > 0))
    return { effect: 'changes', reason: `its parameter "${parameter.name}" selects an edit` };
  // A participle is a state or an event, for example in a filter: "removed", "merge_train_removed".
  const parts = separated(choices).map(partsOf);
  const worst = choices.find(
    (choice, index) =>
      parts[index]?.some((part) => dangerousChoice.test(part) && !isState(part)) || isForeignDanger(choice),
  );
  const paid = choices.find((choice) => paidChoice.test(choice));
  if (paid) return { effect: 'spends', reason: `its parameter "${parameter.name}" offers "${paid}"` };
  if (worst) return { effect: 'destroys', reason: `its parameter "${parameter.name}" offers "${worst}"` };
  const acts =
    choiceNames.has(parameter.plain) &&
    choices.find((_, index) => {
      const [first = '', ...others] = parts[index] ?? [];
      return actingChoice.test(first) || others.some((part) => !readingChoice.test(part));
    });
  return acts ? { effect: 'changes', reason: `its parameter "${parameter.name}" offers "${acts}"` } : undefined;
}

/** The actions that one choice combines: `get_and_delete`. */
const partsOf = (choice: string) => choice.split(/[_\-. ](?:and|then|or)[_\-. ](?:then[_\-. ])?/i);

/** Limits the time. Longer choices are compared unchanged, and a tool with more choices is dangerous. */
export const maxSeparated = { choices: 1000, length: 60 };

/** The choices with their words separated: `deleteAll` → `delete_All`. */
export function separated(choices: string[]): string[] {
  return choices.map((choice, index) => {
    if (index >= maxSeparated.choices || choice.length > maxSeparated.length) return choice;
    return choice.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_');
  });
}

/** Whether the choice is a state or an event: `merge_train_removed`, but not `delete_archived`. */
const isState = (choice: string) =>
  /[a-z]ed$/i.test(choice) &&
  !/(?:^|[_\-. ])(?:delete|remove|drop|destroy|purge|wipe|erase|truncate|kill)[_\-. ]/i.test(choice);

/** Whether the tool only offers ways to read: `action: list | get | status`. */
export function offersOnlyReads(definition: ToolDefinition): boolean {
  const choices = parametersOf(definition.inputSchema)
    .filter(({ plain, depth }) => depth === 0 && routerNames.has(plain))
    .flatMap(({ schema }) => choicesOf(schema));
  return choices.length > 0 && choices.every(isReadingChoice);
}

/** Whether this choice only reads. */
export const isReadingChoice = (choice: string) =>
  separated([choice]).every((one) => partsOf(one).every((part) => readingChoice.test(part)));

/** Whether the parameter selects what the tool does. */
export const selectsAction = ({ plain }: Parameter) => choiceNames.has(plain) || choiceEnd.test(plain);

/** The ways to edit a set of values: `set | add | remove`. Each edit can be undone by another. */
function isSetEdit(choices: string[], { updates, text }: NameContext): boolean {
  // Another edit does not take back the access that someone had in the meantime.
  if (/\b(?:members?|users?|permissions?|roles?|admins?|access)\b/i.test(text.slice(0, 200))) return false;
  const all = new Set(choices.map((choice) => choice.toLowerCase()));
  const edits = new Set(['set', 'add', 'remove', 'append', 'replace', 'toggle', ...(updates ? ['merge'] : [])]);
  const isEdit = all.has('add') || all.has('merge');
  return isEdit && (all.has('set') || all.has('replace')) && [...all].every((one) => edits.has(one));
}

/** The edits of one document, as in JSON Patch: each can be undone by another. */
function isPatch(choices: string[]): boolean {
  const all = new Set(choices.map((choice) => choice.toLowerCase()));
  const edits = words('replace add insert append prepend remove move copy test set delete upsert update');
  return all.has('replace') && [...all].some((one) => /^(?:add|insert|append)$/.test(one)) && all.isSubsetOf(edits);
}

/** Whether a choice without fixed values is described by a list that contains a dangerous action: "create, list or remove". */
export function describesDanger({ plain, schema }: Parameter): boolean {
  if (!choiceNames.has(plain) || choicesOf(schema).length > 0 || typeof schema.description !== 'string') return false;
  const offered = separated(schema.description.slice(0, 300).split(/[^\w-]+/)).filter((word) =>
    [dangerousChoice, actingChoice, readingChoice].some((pattern) => pattern.test(word)),
  );
  return offered.length > 1 && offered.some((word) => dangerousChoice.test(word));
}
