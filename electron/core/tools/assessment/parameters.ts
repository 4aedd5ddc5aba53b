/** Evidence in a tool's parameters: code that it runs, commands that it selects, destructive choices. */
import { isObject } from '../../../../shared/is-object.ts';
import type { Effect, ToolDefinition } from '../../../../shared/model/tool.ts';
import { choiceEvidence, choicesOf, describesDanger, maxSeparated, routerNames } from './choices.ts';
import type { Evidence, NameContext } from './evidence.ts';
import { maxParameters, type Parameter, parametersOf, takesText } from './schema-parameters.ts';
import { nameWords } from './words.ts';

const codeNames = new Set(
  `sql command commands cmd cmdline commandline shellcommand script scripts javascript js code shell bash sh python expression
   program argv executable mutation stmt statement statements sourcecode codeblock shellscript rawsql sqlquery querysql
   query_sql jscode pythoncode javascriptcode commandtorun`.split(/\s+/),
);
const queryNames = new Set(['query', 'q', 'querystring', 'cypher', 'graphql', 'soql', 'kql']);
/** Switches that make a tool that changes something destroy existing data. */
const destructiveSwitch = /^(?:truncate|wipe|purge|erase|deleteextra|deletemissing|deleteexisting|replaceall)/;
/** Names of parameters for a file or folder to write. `output` alone is usually a format. */
const outputPlace =
  /^(?:output|out|save|export|download|dest|destination|write)(?:to|as)?(?:path|dir|directory|file|filename|filepath|folder)$/;

export function parameterEvidence(definition: ToolDefinition, context: NameContext): Evidence[] {
  const parameters = parametersOf(definition.inputSchema);
  const found: Evidence[] = [];
  const add = (effect: Effect, reason: string) => found.push({ effect, reason });
  const top = parameters.filter(({ depth }) => depth === 0);
  const command = commandOf(top);
  let cut: Parameter | undefined;
  for (const parameter of parameters) {
    const choices = choicesOf(parameter.schema);
    if (parameter.isCut || choices.length > maxSeparated.choices) cut ??= parameter;
    if (command && routerNames.has(parameter.plain)) continue;
    if (choices.length > 0) {
      const evidence = choiceEvidence(parameter, choices, context);
      if (evidence) found.push(evidence);
    } else if (context.changes && parameter.schema.type === 'boolean' && destructiveSwitch.test(parameter.plain)) {
      add('destroys', `its parameter "${parameter.name}" may destroy data`);
    } else if (context.updates && parameter.depth === 0 && /^(?:delete|deletes|remove)$/.test(parameter.plain)) {
      add('destroys', `its parameter "${parameter.name}" may destroy data`);
    } else if (takesText(parameter.schema)) {
      const evidence = placeEvidence(parameter, definition) ?? codeEvidence(parameter, context);
      if (evidence) found.push(evidence);
    }
  }
  if (command)
    add(
      managing.test(context.text) ? 'runs code' : 'changes',
      `its parameter "${command.name}" selects one of many commands`,
    );
  if (parameters.length >= maxParameters) add('misleads', 'it has too many parameters to check');
  if (cut) add('misleads', `its parameter "${cut.name}" has too many choices to check`);
  const chosen = top.find((parameter) => describesDanger(parameter));
  if (chosen) add('destroys', `its parameter "${chosen.name}" selects an action, such as removing something`);
  if (context.updates && top.some(({ plain }) => /^(?:new)?password$/.test(plain)))
    add('changes access', 'it can change a password');
  if (context.updates && isConditional(top)) add('overwrites', 'it updates everything that meets a condition');
  const key = top.find(({ plain, schema }) => signingKey.test(plain) && takesText(schema));
  if (key && (context.changes || context.isUnknown)) add('spends', `its parameter "${key.name}" can sign for the user`);
  if (callsTool(definition.name, top)) add('runs code', 'it calls a tool that its parameters select');
  if (isMessage(top) && !context.keepsCode) add('sends', 'it takes a recipient and a message');
  return found;
}

/** A wallet's private key or seed phrase, with which a tool can pay and sign. */
const signingKey = /^(?:wallet|signer|account|sender|owner|payer)?(?:privatekey|seedphrase|mnemonic)$/;

/** Names of the arguments that a tool passes on. */
const passedOn = new Set(['parameters', 'params', 'args', 'arguments', 'payload', 'input', 'inputs']);

/** Whether the tool passes arguments on to another tool: `call_tool(name, arguments)`. */
function callsTool(name: string, parameters: Parameter[]): boolean {
  const words = nameWords(name).join(' ');
  if (!/\b(?:call|execute|run|invoke|use) (?:\w+ )?(?:tool|function|action|method|skill)$/.test(words)) return false;
  return parameters.some(({ plain }) => passedOn.has(plain));
}

/** Whether the parameters are new values and the condition of the records that get them. */
function isConditional(parameters: Parameter[]): boolean {
  const has = (pattern: RegExp) => parameters.some(({ plain }) => pattern.test(plain));
  return (
    has(/^(?:where|whereclause|conditions?|criteria|filters?)$/) && has(/^(?:data|values|set|fields|updates|changes)$/)
  );
}

/** A file that the caller chooses may exist. Whether the tool replaces it, only the server's hints say. */
function placeEvidence({ name, plain }: Parameter, { annotations }: ToolDefinition): Evidence | undefined {
  if (!outputPlace.test(plain)) return undefined;
  const isDenied = annotations?.destructiveHint === false || annotations?.readOnlyHint === true;
  return {
    effect: isDenied ? 'changes' : 'overwrites',
    reason: `its parameter "${name}" may be a file that it writes`,
  };
}

const databaseWords = /\b(?:sql|database|postgres\w*|mysql|sqlite|cypher|graphql mutation|statement)\b/i;
const readsOnly = /\bread[- ]?only\b|\bselect (?:statement|quer(?:y|ies))s?\b|\bonly select\b/i;

const writes = /\b(?:writes?|inserts?|updates?|deletes?)\b/i;
const negates =
  /\b(?:no|not|never|cannot|blocks?|blocked|rejects?|rejected|refuse[ds]?|forbidden|denied|disallowed|prevents?)\b/i;
const saysItWrites = (text: string) => text.split(/[.;\n]/).some((part) => writes.test(part) && !negates.test(part));

function codeEvidence(
  { name, plain, schema }: Parameter,
  { keepsCode, isUnknown, text }: NameContext,
): Evidence | undefined {
  const reason = `its parameter "${name}" is free-form code or a command`;
  const said = typeof schema.description === 'string' ? schema.description : '';
  if (taskNames.has(plain) && byAgent.test(text))
    return { effect: 'runs code', reason: `its parameter "${name}" is a task for an autonomous agent` };
  if (isUnknown && plain === 'args') return { effect: 'runs code', reason };
  if (codeNames.has(plain)) {
    if (plain === 'code' && isIdentifier(schema, said)) return undefined;
    if (keepsCode) return undefined;
    return { effect: readsOnly.test(text) && databaseWords.test(text) ? 'changes' : 'runs code', reason };
  }
  if (!queryNames.has(plain) || keepsCode || !databaseWords.test(said || text)) return undefined;
  if (!/\bsql\b|\bcypher\b|\bmutation\b/i.test(`${said} ${text}`)) return undefined;
  const isReadOnly = readsOnly.test(`${said} ${text}`) && !saysItWrites(`${said} ${text}`);
  return { effect: isReadOnly ? 'changes' : 'runs code', reason };
}

const taskNames = new Set(['task', 'query', 'goal', 'instruction', 'instructions', 'objective']);
const byAgent = /\b(?:autonomous(?:ly)?|automation agent|browser agent|computer[- ]use)\b/i;

const codeOfThing =
  /\b(?:account|airport|area|class|confirmation|country|coupon|currency|department|discount|error|iata|invit\w+|iso|item|language|locale|postal|product|project|promo\w*|region|room|sku|station|status|stock|subject|ticker|two-letter|verification|voucher|zip) codes?\b/i;

/** Whether the parameter is a short code, such as a country or project code. */
function isIdentifier({ maxLength }: Record<string, unknown>, said: string): boolean {
  return codeOfThing.test(said) || (typeof maxLength === 'number' && maxLength <= 20);
}

/** Words that indicate that a router's commands do more than read. */
const managing =
  /\b(?:manag(?:e|es|ing)|creat(?:e|es|ing)|updat(?:e|es|ing)|delet(?:e|es|ing)|send(?:s|ing)?|deploy(?:s|ing)?|execut(?:e|es|ing)|writ(?:e|es|ing)|secrets?)\b/i;

/** The parameter that selects a command, if the tool also has an object for the arguments of that command. */
export function commandOf(parameters: Parameter[]): Parameter | undefined {
  const command = parameters.find(({ plain }) => routerNames.has(plain));
  if (!command || choicesOf(command.schema).length > 0) return undefined;
  const passesOn = parameters.some(
    ({ plain, schema }) =>
      (passedOn.has(plain) || plain === 'options' || plain === 'learn') &&
      (schema.type === 'object' || schema.type === 'boolean') &&
      (!isObject(schema.properties) || Object.keys(schema.properties).length === 0),
  );
  return passesOn ? command : undefined;
}

function isMessage(parameters: Parameter[]): boolean {
  const names = new Set(parameters.map(({ plain }) => plain));
  const has = (...options: string[]) => options.some((option) => names.has(option));
  return (
    has('to', 'recipient', 'recipients', 'torecipients', 'phonenumber', 'toemail') &&
    has('body', 'message', 'text', 'subject', 'html', 'messagetext', 'messagebody')
  );
}
