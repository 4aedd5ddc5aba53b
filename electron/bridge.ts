/**
 * What a client starts as its MCP server: joins stdin and stdout to the local socket of the Core, and starts a Core when
 * none runs. Bundled to one CommonJS file without dependencies, for Node 20 and later and for the app's own binary under
 * ELECTRON_RUN_AS_NODE. Writes nothing but protocol to stdout, and looks into no message once it is connected.
 */
import { spawn } from 'node:child_process';
import { existsSync, fstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import coreFlags from './core-flags.json' with { type: 'json' };

const home = process.env.GATEHOUSE_HOME || join(homedir(), '.gatehouse');
const run = join(home, 'run');
const startupMs = Number(process.env.GATEHOUSE_START_TIMEOUT) || 20_000;
const pollMs = 25;
const refusal =
  'Gatehouse is not running and could not be started. Start the Gatehouse app, or run "gatehouse serve" in a terminal to see why.';

const modes = ['lazy', 'full', 'hybrid'];
const text = { type: 'string' } as const;

type Asked = ReturnType<typeof readOptions>;

/** Throws for a word that is not known: of a misspelt limit nothing would be left but a client that sees everything. */
function readOptions() {
  // What an AppImage is started with is not for us.
  const options = { mode: text, server: text, profile: text, client: text, 'no-sandbox': { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  if (values.mode !== undefined && !modes.includes(values.mode))
    throw new Error(`"${values.mode}" is no mode; there are ${modes.join(', ')}.`);
  const { mode, server, profile, client } = values;
  return { mode, server, profile, client };
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Connects and shows the token; undefined when no Core answers. What the Core sent beyond its welcome is unshifted. */
function reachCore(asked: Asked): Promise<Socket | undefined> {
  const address = readJson(join(run, 'core.json'))?.socket;
  if (typeof address !== 'string') return Promise.resolve(undefined);
  let token: string;
  try {
    token = readFileSync(join(run, 'token'), 'utf8').trim();
  } catch {
    return Promise.resolve(undefined);
  }
  const about = { ...asked, cwd: process.cwd() };
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const gone = () => resolve(undefined);
    let held = Buffer.alloc(0);
    socket.on('error', gone).on('close', gone);
    socket.write(`${JSON.stringify({ gatehouse: 1, token, purpose: 'mcp', ...about })}\n`);
    socket.on('data', function welcome(chunk: Buffer) {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf('\n');
      if (end === -1) return;
      socket.pause().off('data', welcome).off('error', gone).off('close', gone);
      const answer = JSON.parse(held.toString('utf8', 0, end)) as { ok: boolean; message?: string };
      if (!answer.ok) return reject(new Error(`Gatehouse refused the connection: ${answer.message}`));
      if (held.length > end + 1) socket.unshift(held.subarray(end + 1));
      return resolve(socket);
    });
  });
}

/** One of several bridges that find no Core starts one; the others wait for it. */
function mayStart(): boolean {
  const lock = join(run, 'start.lock');
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      process.on('exit', () => rmSync(lock, { force: true }));
      return true;
    } catch {
      if (attempt === 2 || isAlive(Number(readFile(lock)))) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The app where it is installed, otherwise a Core without a window that ends with its last client. */
function startCore(): void {
  const app = readJson(join(run, 'app.json')) as { command: string; args?: string[] } | undefined;
  const [command, ...args] = app && existsSync(app.command) ? [app.command, ...(app.args ?? [])] : headless();
  if (!command) return;
  const asNode = command === process.execPath && process.versions.electron !== undefined;
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(command, args, {
    cwd: homedir(),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: asNode ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env,
  });
  // Seen as a Core that never answers.
  child.on('error', () => undefined);
  child.unref();
}

function headless(): string[] {
  // Bundled, it knows where it lies, whatever launcher required it; from source it is what was started.
  const folder = typeof __dirname === 'string' ? __dirname : dirname(realpathSync(process.argv[1] ?? '.'));
  const script = ['headless.js', 'headless.ts'].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (!script) return [];
  // The Core needs Node 24; the bridge may have been started by an older one.
  const own = join(folder, '..', 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const recent = Number(process.versions.node.split('.')[0]) >= 24;
  return [!recent && existsSync(own) ? own : process.execPath, ...coreFlags, script, '--on-demand'];
}

async function findCore(asked: Asked): Promise<Socket | undefined> {
  const running = await reachCore(asked);
  if (running) return running;
  mkdirSync(run, { recursive: true, mode: 0o700 });
  if (mayStart()) startCore();
  for (const deadline = Date.now() + startupMs; Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const core = await reachCore(asked);
    if (core) {
      rmSync(join(run, 'start.lock'), { force: true });
      return core;
    }
  }
  return undefined;
}

/** Pipes are written without blocking, so that a client that writes before it reads cannot deadlock with us. */
function openStdout(): Writable {
  const kind = fstatSync(1);
  if (!kind.isFIFO() && !kind.isSocket()) return process.stdout;
  return new Socket({ fd: 1, readable: false, writable: true });
}

/** From here on bytes only pass through. */
function joinCore(core: Socket): void {
  const stdout = openStdout();
  let heard = false;
  let leaving = false;
  const leave = () => {
    leaving = true;
    core.end();
    // The Core closes its side; a Core that hangs must not keep us.
    setTimeout(() => process.exit(0), 1000).unref();
  };
  process.stdin.once('data', () => {
    heard = true;
  });
  process.stdin.on('end', leave).on('error', leave);
  stdout.on('error', leave);
  core.on('error', () => undefined);
  core.on('close', () => {
    process.stdin.unpipe(core);
    if (leaving) process.exit(0);
    // A client that has said nothing yet notices nothing.
    if (!heard) return void main();
    process.stderr.write('Gatehouse has ended; the client has to start it again.\n');
    process.exit(1);
  });
  core.pipe(stdout, { end: false });
  process.stdin.pipe(core, { end: false });
}

/** Answers the first request with what to do, since clients show that and not what stands on stderr. */
function refuse(message: string, code = 'CORE_UNREACHABLE'): void {
  process.stderr.write(`${message}\n`);
  if (process.stdin.isTTY) process.exit(1);
  let held = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    held += chunk;
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const request = parse(line);
      if (request?.id === undefined || request.method === undefined) continue;
      const error = { code: -32000, message, data: { code } };
      const answer = `${JSON.stringify({ jsonrpc: '2.0', id: request.id, error })}\n`;
      process.stdout.write(answer, () => process.exit(1));
      return;
    }
  });
  process.stdin.on('end', () => process.exit(1));
}

function parse(line: string): { id?: unknown; method?: unknown } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function main(): void {
  let asked: Asked;
  try {
    asked = readOptions();
  } catch (error) {
    // What follows the first sentence is about words that begin with a dash.
    const [what] = (error as Error).message.split(/\.(?:\s|$)/);
    refuse(`gatehouse connect: ${what}. See \`gatehouse connect --help\`.`, 'INPUT_INVALID');
    return;
  }
  if (process.stdin.isTTY) process.stderr.write('Waiting for an MCP client on stdin; Ctrl-C ends it.\n');
  findCore(asked).then(
    (core) => (core ? joinCore(core) : refuse(refusal)),
    (error: Error) => refuse(error.message),
  );
}

main();
