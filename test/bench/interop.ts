/**
 * Real packages from npm. Lists and calls servers directly and through Toolkeep, in full and lazy mode. The report shows the
 * differences, except those between two direct starts. Clients list and call tools through the entry that
 * `toolkeep install` writes. `TOOLKEEP_INTEROP=REGEX` limits the packages.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { validateArguments, validator } from '../../electron/core/tools/arguments.ts';
import { annotate } from '../../electron/core/tools/assessment/annotate.ts';
import { exampleOf } from '../../shared/example.ts';
import { isObject } from '../../shared/is-object.ts';
import type { ToolDefinition } from '../../shared/model/tool.ts';
import { newProduct, type Product } from '../e2e/product.ts';
import { chromiumPath } from '../fixtures/chromium.ts';
import type { Command } from '../fixtures/commands.ts';
import { clientsOf } from './interop-clients.ts';
import { chromium, folder, type RealServer, realServers } from './interop-servers.ts';
import {
  connect,
  type Lists,
  listAll,
  readApps,
  type Session,
  text,
  throughToolkeep,
  within,
} from './interop-session.ts';
import { installedBin } from './npm-cache.ts';
import type { Part, Report, Row } from './report.ts';

type Json = Record<string, unknown>;
type Call = [tool: string, args: Json];

const atOnce = 2;
/**
 * The timeout of a call in milliseconds. If a call without an account or the internet takes longer, its server is only
 * listed.
 */
const patienceMs = 20_000;

interface Findings {
  row: Row;
  /** Differences that are not the server's own, and lenient calls that only Toolkeep refuses. */
  problems: string[];
}

/** A server as this run starts it. */
interface Trial extends Findings {
  product: Product;
  command: Command;
  lenient: Call[];
  /** Two starts without Toolkeep. */
  direct: [Direct, Direct];
}

interface Direct {
  lists: Lists;
  call: Call | undefined;
  /** The result of the call, or its error. */
  called: string;
  /** The result of a second call, which differs if the server counts calls, for example. */
  again: string;
  /** The lenient calls that the server accepts. */
  accepted: Call[];
  /** The content of each app. */
  apps: Record<string, string>;
}

export const part: Part = {
  about: 'real servers and clients from npm, directly and through Toolkeep',
  async run(report) {
    await validator.load();
    const wanted = new RegExp(process.env.TOOLKEEP_INTEROP ?? '');
    const waiting = realServers.filter(({ spec }) => wanted.test(spec));
    const findings: Findings[] = [];
    const work = async () => {
      for (let server = waiting.shift(); server; server = waiting.shift()) findings.push(await compared(server));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (findings.length > 0) summarize(report, findings);
    await clientsOf(wanted, report);
  },
};

function summarize(report: Report, findings: Findings[]): void {
  findings.sort((a, b) => String(a.row.server).localeCompare(String(b.row.server)));
  const rows = findings.map(({ row }) => row);
  report.table('Servers', rows);
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);
  const compared = (column: string) => {
    const done = rows.filter((row) => row[column] !== undefined && row[column] !== 'none');
    return { tried: done.length, equal: done.filter((row) => row[column] === 'equal').length };
  };
  report.table('Summary', [
    {
      of: 'servers that start here',
      tried: rows.length,
      equal: rows.filter(({ tools }) => tools !== undefined).length,
    },
    { of: 'lists in full mode', ...compared('full list') },
    { of: 'lists in lazy mode', ...compared('lazy list') },
    { of: 'calls in full mode', ...compared('full call') },
    { of: 'calls with execute_tool', ...compared('lazy call') },
    { of: 'servers whose apps are read', ...compared('apps') },
    { of: 'servers whose apps call tools', ...compared('app calls') },
    { of: 'lenient calls that the server accepts', tried: sum('lenient'), equal: sum('lenient') - sum('refused') },
  ]);
  report.note(`${sum('tools')} tools, ${sum('prompts')} prompts, ${sum('resources')} resources and templates`);
  for (const { row, problems } of findings) for (const problem of problems) report.note(`${row.server}: ${problem}`);
}

async function compared(server: RealServer): Promise<Findings> {
  const row: Row = { server: server.spec };
  const problems: string[] = [];
  const product = newProduct();
  try {
    const prepared = await prepare(server, product);
    const direct: Trial['direct'] = [await directly(prepared, product), await directly(prepared, product)];
    const { tools, prompts, resources, resourceTemplates } = direct[0].lists;
    Object.assign(row, { tools: tools.length, prompts: prompts.length });
    Object.assign(row, { resources: resources.length + resourceTemplates.length });
    const trial: Trial = { row, problems, product, direct, ...prepared };
    product.file('.toolkeep/config.json', {
      approvals: { ask: 'dangerous', newTools: 'allow' },
      toolRules: [{ pattern: ['*'], confirm: 'never', destinations: 'any' }],
      servers: [{ name: 'real', connection: { type: 'stdio', ...prepared.command } }],
    });
    await product.serve();
    await inFullMode(trial);
    await inLazyMode(trial);
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    if (row.tools === undefined) row.note = `does not start here: ${line.slice(0, 70)}`;
    else problems.push(`failed: ${line}`);
  } finally {
    await product.dispose();
  }
  return { row, problems };
}

type Prepared = Pick<Trial, 'command' | 'lenient'> & { call?: Call };

async function prepare(server: RealServer, product: Product): Promise<Prepared> {
  const bin = await installedBin(server.spec);
  const work = join(product.home, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'note.txt'), 'a note\n');
  const web = { client_id: 'x', client_secret: 'x', redirect_uris: ['http://localhost:3000'] };
  writeFileSync(join(work, 'oauth.json'), JSON.stringify({ installed: web, web }));
  const fill = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(folder, work)
        .replaceAll(chromium, () => chromiumPath()),
    );
  const { args = [], env = {}, call, lenient = [] } = server;
  const command = { command: process.execPath, args: [bin, ...fill(args)], env: fill(env) };
  return { command, lenient: fill(lenient), ...(call && { call: fill(call) }) };
}

async function directly({ command, call, lenient }: Prepared, { env }: Product): Promise<Direct> {
  const session = await connect({ ...command, env: { ...env, ...command.env } });
  try {
    const lists = await listAll(session);
    const wanted = call ?? harmlessCall(lists);
    const called = wanted && (await Promise.race([callOf(session, wanted), sleep(patienceMs)]));
    const chosen = called === undefined ? undefined : wanted;
    const again = chosen ? await callOf(session, chosen) : '';
    const accepted: Call[] = [];
    for (const one of lenient) if (!/"isError":true|"code":-32/.test(await callOf(session, one))) accepted.push(one);
    return { lists, call: chosen, called: called ?? '', again, accepted, apps: await readApps(session, lists) };
  } finally {
    session.close();
  }
}

/** A call of a tool that only reads, if possible one that needs no arguments. */
function harmlessCall({ tools }: Lists): Call | undefined {
  const reading = (tools as ToolDefinition[]).filter(
    (tool) => annotate(tool).annotations.safetyLevel === 'safe' && isObject(tool.inputSchema),
  );
  const calls = reading.map((tool): Call => [tool.name, exampleOf(tool.inputSchema)]);
  const valid = calls.filter(([, args], at) => validateArguments(reading[at] as ToolDefinition, args).ok);
  return valid.find(([, args]) => Object.keys(args).length === 0) ?? valid[0];
}

async function callOf(session: Session, [name, args]: Call): Promise<string> {
  const { result, error } = await session.request('tools/call', { name, arguments: args });
  return JSON.stringify(result ?? error);
}

/** One server under its own names: lists, the call, and lenient calls. */
async function inFullMode({ row, problems, product, direct }: Trial): Promise<void> {
  const [first, second] = direct;
  const { call } = first;
  const session = await connect(product.bridge('--mode', 'full', '--server', 'real'));
  try {
    const lists = await settledLists(session, first.lists.tools.length);
    const own = new Set(differences(first.lists, second.lists));
    const found = differences(first.lists, lists).filter((one) => !own.has(one));
    row['full list'] = found.length === 0 ? 'equal' : `${found.length} differ`;
    problems.push(...found);
    if (call) row['full call'] = compareCall(direct, await callOf(session, call), problems, 'full');
    row.apps = compareApps(first, await readApps(session, first.lists), problems);
    row.lenient = first.accepted.length;
    row.refused = 0;
    for (const one of first.accepted) {
      const answer = await callOf(session, one);
      if (!answer.includes('ARGUMENTS_INVALID')) continue;
      row.refused = Number(row.refused) + 1;
      problems.push(`refuses ${one[0]} ${JSON.stringify(one[1])}, which the server accepts`);
    }
  } finally {
    session.close();
  }
}

/** The lists once they have this many tools, or after ten seconds if Toolkeep holds suspicious tools. */
function settledLists(session: Session, tools: number): Promise<Lists> {
  return within('the tools', async () => {
    for (let rounds = 0; ; rounds += 1) {
      const now = await listAll(session);
      if (now.tools.length >= tools || (now.tools.length > 0 && rounds >= 40)) return now;
      if (now.tools.length === 0) rounds = 0;
      await sleep(250);
    }
  });
}

/** The meta-tools: the list of the server's tools, the details of each, and the call. */
async function inLazyMode({ row, problems, product, direct }: Trial): Promise<void> {
  const session = await connect(product.bridge());
  const meta = (name: string, args: Json) => session.request('tools/call', { name, arguments: args });
  try {
    const listed = text(await meta('list_tools', { server: 'real' })).split('\n');
    const names = new Set(listed.map((line) => line.split(/[: ]/, 1)[0]));
    const missing: string[] = [];
    for (const { name } of direct[0].lists.tools.filter(isForModels)) {
      const details = await meta('get_tool_details', { server: 'real', tool: name });
      if (!names.has(String(name)) || details.result?.isError === true) missing.push(String(name));
    }
    row['lazy list'] = missing.length === 0 ? 'equal' : `${missing.length} missing`;
    problems.push(...missing.map((name) => `lazy mode lacks ${name}`));
    if (row.apps !== 'none')
      row.apps = compareApps(direct[0], await readApps(session, direct[0].lists, throughToolkeep), problems);
    const [{ call, apps, lists }] = direct;
    const asked = callsOfApps(apps, lists);
    const unknown: string[] = [];
    for (const [name, args] of asked)
      if (/Unknown tool|TOOL_NOT_FOUND/.test(await callOf(session, [name, args]))) unknown.push(name);
    if (asked.length > 0) row['app calls'] = unknown.length === 0 ? 'equal' : `${unknown.length} unknown`;
    problems.push(...unknown.map((name) => `its app cannot call ${name}`));
    if (!call) return;
    const [tool, args] = call;
    const { result } = await meta('execute_tool', { server: 'real', tool, arguments: args });
    row['lazy call'] = compareCall(direct, JSON.stringify(withoutApp(result)), problems, 'lazy');
  } finally {
    session.close();
  }
}

/** Toolkeep hides tools that only apps can call from models. */
const isForModels = ({ _meta }: Json) => !/"visibility":\["app"\]/.test(JSON.stringify(_meta) ?? '');

/** Calls of the tools that the server's apps name in their code, by their own names and with example arguments. */
function callsOfApps(apps: Direct['apps'], { tools }: Lists): Call[] {
  const code = Object.values(apps).join('');
  const named = (tools as ToolDefinition[]).filter(
    ({ name }) => /callServerTool|tools\/call/.test(code) && new RegExp(`name:\\\\?["'\`]${name}\\b`).test(code),
  );
  return named.map((tool): Call => [tool.name, exampleOf(tool.inputSchema)]);
}

function compareApps(direct: Direct, apps: Direct['apps'], problems: string[]): string {
  const changed = Object.entries(apps).filter(([uri, content]) => content !== direct.apps[uri]);
  problems.push(...changed.map(([uri, content]) => `${uri} is ${content.slice(0, 200)}`));
  if (Object.keys(apps).length === 0) return 'none';
  return changed.length === 0 ? 'equal' : `${changed.length} differ`;
}

/** Removes the metadata in which clients that show apps find the tool's app. */
function withoutApp(result: Json = {}): Json {
  const { ui: _, ...meta } = (result._meta ?? {}) as Json;
  const entries = Object.entries(result).map(([key, value]) => [key, key === '_meta' ? meta : value]);
  return Object.fromEntries(entries.filter(([key]) => key !== '_meta' || Object.keys(meta).length > 0));
}

/** A result that also differs between direct calls, such as a time or random data, is compared only by its shape. */
function compareCall([first, second]: Trial['direct'], answer: string, problems: string[], mode: string): string {
  const withoutNumbers = (json: string) => json.replace(/[\w.:-]*\d[\w.:-]*/g, '#');
  const withoutStrings = (json: string) => json.replace(/:"(?:[^"\\]|\\.)*"/g, ':""');
  const isRandom = withoutNumbers(first.called) !== withoutNumbers(second.called);
  const shape = isRandom ? (json: string) => withoutNumbers(withoutStrings(json)) : withoutNumbers;
  const isStable = first.called === second.called && first.called === first.again;
  const likeDirect = [first.called, first.again].some((one) => shape(answer) === shape(one));
  const same = isStable ? answer === first.called : likeDirect;
  // The meta-tools return a result where the server sends a JSON-RPC error.
  const isError = (json: string) => /"isError":true|^\{"code":-/.test(json);
  if (same || (mode === 'lazy' && first.called.startsWith('{"code":-') && isError(answer))) return 'equal';
  problems.push(`${mode} call: ${first.called.slice(0, 200)} is ${answer.slice(0, 200)}`);
  return 'differs';
}

/** The differences between two sets of lists, such as `tools NAME.inputSchema`, also in the order of items and keys. */
function differences(one: Lists, other: Lists): string[] {
  const found: string[] = [];
  const nameOf = (item: Json) => String(item.name ?? item.uri);
  for (const list of Object.keys(one) as (keyof Lists)[]) {
    const partners = new Map(other[list].map((item) => [nameOf(item), item]));
    const kept = one[list].filter((item) => partners.has(nameOf(item)));
    for (const item of one[list]) if (!partners.has(nameOf(item))) found.push(`${list} lack ${nameOf(item)}`);
    if (other[list].length > kept.length) found.push(`${list}: ${other[list].length - kept.length} more`);
    else if (kept.some((item, at) => nameOf(item) !== nameOf(other[list][at] ?? {})))
      found.push(`${list}: other order`);
    for (const item of kept) {
      const partner = partners.get(nameOf(item)) ?? {};
      for (const key of new Set([...Object.keys(item), ...Object.keys(partner)])) {
        const [before, after] = [JSON.stringify(item[key]), JSON.stringify(partner[key])];
        if (before !== after)
          found.push(`${list} ${nameOf(item)}.${key}: ${before?.slice(0, 90)} is ${after?.slice(0, 90)}`);
      }
    }
  }
  return found;
}
