/** Evidence in a tool's parameters: code that it runs, commands that it selects, destructive choices. */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { followPointer } from '../pointer.ts';
import { isForeignDanger } from './languages.ts';
import type { Effect } from './verb-row.ts';
import { nameWords } from './words.ts';

export interface Evidence {
  effect: Effect;
  /** The reason that the user sees. */
  reason: string;
}

export interface Parameter {
  name: string;
  /** The name in lowercase, without separators. */
  plain: string;
  schema: Record<string, unknown>;
  depth: number;
}

const codeNames = new Set(
  `sql command commands cmd cmdline commandline shellcommand script scripts javascript js code shell bash sh python expression
   program argv executable mutation stmt statement statements sourcecode codeblock shellscript rawsql sqlquery querysql
   query_sql jscode pythoncode javascriptcode commandtorun`.split(/\s+/),
);
const queryNames = new Set(['query', 'q', 'querystring', 'cypher', 'graphql', 'soql', 'kql']);
const choiceNames = new Set(
  `operation operations action actions method httpmethod op verb mode command subcommand type task function requesttype
   aktion befehl opération accion acción acao ação azione operación operação действие операция команда 操作 動作 动作 작업 동작 عملية إجراء`.split(
    /\s+/,
  ),
);
const routerNames = new Set([
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
  /^(?:delete|remove|drop|destroy|purge|kill|terminate|wipe|erase|send(?![_\-. ]?(?:text|keys?|input))|execute|exec|publish|pay|refund|transfer|revoke|grant|truncate|uninstall|shutdown|merge|abandon|force|hard|overwrite|reset)(?:$|[^a-z])|(?:^|[_\-. ])(?:delete|destroy|remove|drop|purge|wipe)(?:$|[_\-. ])/i;
const actingChoice =
  /^(?:post|put|patch|create|update|add|set|write|insert|edit|rename|move|start|stop|restart|enable|disable|save|upload|apply|cancel|close|run|rerun|complete|assign|archive)(?:$|[^a-z])/i;

/** Choices that create something that costs money while it exists. */
const paidChoice = /^create[_\-. ]?(?:server|instance|vm|machine|cluster|droplet|database|volume|node)s?$/i;
const secretChoice = /^(?:password|totp|otp|secret|private[_-]?key|access[_-]?token|api[_-]?key|credentials?)s?$/i;
const readingChoice =
  /^(?:list|get|read|show|search|find|view|describe|inspect|status|info|count|help|history|current)(?:$|[^a-z])/i;
/** Switches that make a tool that changes something destroy existing data. */
const destructiveSwitch = /^(?:truncate|wipe|purge|erase)/;

const maxDepth = 4;
const maxParameters = 400;
/** Maximum number of schema parts to visit, because references can multiply them. */
const maxVisits = 4_000;

/** Facts from the tool's name, which determine how much its parameters count. */
export interface NameContext {
  /** True if the name clearly says that the tool reads or creates something, so that code in an argument is only data. */
  keepsCode: boolean;
  /** True if neither the name nor the description says what the tool does. */
  isUnknown: boolean;
  /** True if the name says that the tool changes something. */
  changes: boolean;
  /** True if the name says that the tool returns one thing, which its parameters select. */
  returns: boolean;
  text: string;
}

export function parameterEvidence(definition: ToolDefinition, context: NameContext): Evidence[] {
  const parameters = parametersOf(definition.inputSchema);
  const found: Evidence[] = [];
  const add = (effect: Effect, reason: string) => found.push({ effect, reason });
  const top = parameters.filter(({ depth }) => depth === 0);
  const routes = isRouter(top);
  for (const parameter of parameters) {
    const choices = choicesOf(parameter.schema);
    if (routes && routerNames.has(parameter.plain)) continue;
    if (choices.length > 0) {
      const evidence = choiceEvidence(parameter, choices, context);
      if (evidence) found.push(evidence);
    } else if (context.changes && parameter.schema.type === 'boolean' && destructiveSwitch.test(parameter.plain)) {
      add('destroys', `its parameter "${parameter.name}" may destroy data`);
    } else if (takesText(parameter.schema)) {
      const evidence = codeEvidence(parameter, context);
      if (evidence) found.push(evidence);
    }
  }
  if (routes)
    add(
      managing.test(context.text) ? 'runs code' : 'changes',
      `its parameter "${routerName(top)}" selects one of many commands`,
    );
  if (isMessage(top) && !context.keepsCode) add('sends', 'it takes a recipient and a message');
  return found;
}

/** A string with a fixed set of values is a choice, wherever the values are defined. */
export function choicesOf(schema: Record<string, unknown>): string[] {
  const values: unknown[] = [];
  const items = isRecord(schema.items) ? schema.items : {};
  for (const holder of [schema, items]) {
    if (Array.isArray(holder.enum)) values.push(...holder.enum);
    if (holder.const !== undefined) values.push(holder.const);
    for (const key of ['oneOf', 'anyOf', 'allOf'])
      if (Array.isArray(holder[key]))
        for (const option of holder[key])
          if (isRecord(option)) values.push(...(Array.isArray(option.enum) ? option.enum : [option.const]));
  }
  return values.filter((value): value is string => typeof value === 'string');
}

function choiceEvidence(parameter: Parameter, choices: string[], context: NameContext): Evidence | undefined {
  // An API client that saves a request lists HTTP methods without using them.
  const isData = context.keepsCode && context.changes && /^(?:http)?method$/.test(parameter.plain);
  const secret =
    context.returns &&
    choices.length > 1 &&
    !/(?:types?|filter|status|state)$/.test(parameter.plain) &&
    choices.find((choice) => secretChoice.test(choice));
  if (secret) return { effect: 'reveals secrets', reason: `its parameter "${parameter.name}" offers "${secret}"` };
  if (!choiceNames.has(parameter.plain) || isData) return undefined;
  if (isSetEdit(choices) || (isPatch(choices) && parameter.depth > 0))
    return { effect: 'changes', reason: `its parameter "${parameter.name}" selects an edit` };
  // A participle is a state or an event, for example in a filter: "removed", "merge_train_removed".
  const worst = choices.find(
    (choice) => (dangerousChoice.test(choice) && !/[a-z]ed$/i.test(choice)) || isForeignDanger(choice),
  );
  const paid = choices.find((choice) => paidChoice.test(choice));
  if (paid) return { effect: 'spends', reason: `its parameter "${parameter.name}" offers "${paid}"` };
  if (worst) return { effect: 'destroys', reason: `its parameter "${parameter.name}" offers "${worst}"` };
  const acts = choices.find((choice) => actingChoice.test(choice));
  return acts ? { effect: 'changes', reason: `its parameter "${parameter.name}" offers "${acts}"` } : undefined;
}

/** Whether the tool only offers ways to read: `action: list | get | status`. */
export function offersOnlyReads(definition: ToolDefinition): boolean {
  const choices = parametersOf(definition.inputSchema)
    .filter(({ plain, depth }) => depth === 0 && routerNames.has(plain))
    .flatMap(({ schema }) => choicesOf(schema));
  return choices.length > 1 && choices.every((choice) => readingChoice.test(choice));
}

/** The ways to edit a set of values: `set | add | remove`. Another edit undoes each. */
function isSetEdit(choices: string[]): boolean {
  const all = new Set(choices.map((choice) => choice.toLowerCase()));
  const edits = new Set(['set', 'add', 'remove', 'append', 'replace', 'toggle']);
  return all.has('add') && (all.has('set') || all.has('replace')) && [...all].every((one) => edits.has(one));
}

/** The edits of one document, as in JSON Patch: each can be undone by another. */
function isPatch(choices: string[]): boolean {
  const all = new Set(choices.map((choice) => choice.toLowerCase()));
  return all.has('replace') && (all.has('add') || all.has('insert') || all.has('append'));
}

const databaseWords = /\b(?:sql|database|postgres\w*|mysql|sqlite|cypher|graphql mutation|statement)\b/i;
const readsOnly = /\bread[- ]?only\b|\bselect (?:statement|quer(?:y|ies))s?\b|\bonly select\b/i;

function codeEvidence(
  { name, plain, schema }: Parameter,
  { keepsCode, isUnknown, text }: NameContext,
): Evidence | undefined {
  const reason = `its parameter "${name}" is free-form code or a command`;
  const said = typeof schema.description === 'string' ? schema.description : '';
  if (isUnknown && plain === 'args') return { effect: 'runs code', reason };
  if (codeNames.has(plain)) {
    if (plain === 'code' && isIdentifier(schema, said)) return undefined;
    if (keepsCode) return undefined;
    return { effect: readsOnly.test(text) && databaseWords.test(text) ? 'changes' : 'runs code', reason };
  }
  if (!queryNames.has(plain) || keepsCode || !databaseWords.test(said || text)) return undefined;
  if (!/\bsql\b|\bcypher\b|\bmutation\b/i.test(`${said} ${text}`)) return undefined;
  return { effect: readsOnly.test(`${said} ${text}`) ? 'changes' : 'runs code', reason };
}

const codeOfThing =
  /\b(?:account|airport|area|class|confirmation|country|coupon|currency|department|discount|error|iata|invit\w+|iso|item|language|locale|postal|product|project|promo\w*|region|room|sku|station|status|stock|subject|ticker|two-letter|verification|voucher|zip) codes?\b/i;

/** Whether the parameter is a short code, such as a country or project code. */
function isIdentifier({ maxLength }: Record<string, unknown>, said: string): boolean {
  return codeOfThing.test(said) || (typeof maxLength === 'number' && maxLength <= 20);
}

/** Words that indicate that a router's commands do more than read. */
const managing =
  /\b(?:manag(?:e|es|ing)|creat(?:e|es|ing)|updat(?:e|es|ing)|delet(?:e|es|ing)|send(?:s|ing)?|deploy(?:s|ing)?|execut(?:e|es|ing)|writ(?:e|es|ing)|secrets?)\b/i;

/** Whether the tool has a choice of commands and an object for the chosen command's arguments. */
function isRouter(parameters: Parameter[]): boolean {
  const choice = parameters.find(({ plain }) => routerNames.has(plain));
  if (!choice || choicesOf(choice.schema).length > 0) return false;
  return parameters.some(
    ({ plain, schema }) =>
      /^(?:parameters|params|args|arguments|options|payload|input|inputs|learn)$/.test(plain) &&
      (schema.type === 'object' || schema.type === 'boolean') &&
      (!isRecord(schema.properties) || Object.keys(schema.properties).length === 0),
  );
}

function routerName(parameters: Parameter[]): string {
  return parameters.find(({ plain }) => routerNames.has(plain))?.name ?? '';
}

function isMessage(parameters: Parameter[]): boolean {
  const names = new Set(parameters.map(({ plain }) => plain));
  const has = (...options: string[]) => options.some((option) => names.has(option));
  return (
    has('to', 'recipient', 'recipients', 'torecipients', 'phonenumber', 'toemail') &&
    has('body', 'message', 'text', 'subject', 'html', 'messagetext', 'messagebody')
  );
}

export function takesText({ type, items }: Record<string, unknown>): boolean {
  if (type === undefined || type === 'string') return true;
  if (type === 'array') return !isRecord(items) || items.type === undefined || items.type === 'string';
  return Array.isArray(type) && type.includes('string');
}

/** The parameters at any depth. References within the schema (`#/$defs/x`) are followed, because many generators write them. */
export function parametersOf(schema: unknown): Parameter[] {
  const found: Parameter[] = [];
  let visits = maxVisits;
  const visit = (inner: unknown, depth: number) => {
    visits -= 1;
    const at = followed(inner, schema);
    if (!isRecord(at) || depth > maxDepth || visits < 0) return;
    if (isRecord(at.properties))
      for (const name of Object.keys(at.properties)) {
        if (found.length >= maxParameters) return;
        const record = withFollowedParts(at.properties[name], schema);
        found.push({ name, plain: nameWords(name).join(''), schema: record, depth });
        visit(record, depth + 1);
        visit(record.items, depth + 1);
      }
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      if (Array.isArray(at[key]))
        for (const option of at[key]) {
          if (visits < 0) return;
          visit(option, depth + 1);
        }
  };
  visit(schema, 0);
  return found;
}

/** Returns the schema merged with the definition that it refers to. */
function followed(schema: unknown, root: unknown): unknown {
  if (!isRecord(schema) || typeof schema.$ref !== 'string') return schema;
  if (!/^#\/(?:\$defs|definitions)\/[^/]+$/.test(schema.$ref)) return schema;
  const target = followPointer(root, schema.$ref);
  return isRecord(target) ? { ...target, ...schema } : schema;
}

/** Like `followed`, but also follows alternatives and items, which may define the choices. */
function withFollowedParts(schema: unknown, root: unknown): Record<string, unknown> {
  const record = followed(schema, root);
  if (!isRecord(record)) return {};
  const result = { ...record };
  if (record.items !== undefined) result.items = followed(record.items, root);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(record[key])) result[key] = record[key].map((option) => followed(option, root));
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
