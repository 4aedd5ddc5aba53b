/** Starts the app and its clients for a smoke run, with a temporary home folder. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const quitTimeoutMs = 12_000;

/** Resolves with the first truthy result of `look`. Rejects after `timeoutMs`. */
export async function until(look, what, timeoutMs = 30_000) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    const value = await look();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`timed out: ${what}`);
}

/** A temporary home with a data folder. `env`: the six variables that the official SDK passes on, and the data folder. */
export function temporaryHome({ usesKeyring = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'toolkeep-smoke-'));
  const dataDir = join(home, '.toolkeep');
  mkdirSync(dataDir);
  const coreFile = join(dataDir, 'run', 'core.json');
  const { PATH, LOGNAME = 'me', SHELL = '/bin/sh', USER = 'me' } = process.env;
  const six =
    process.platform === 'win32' ? windowsVariables() : { HOME: home, LOGNAME, PATH, SHELL, TERM: 'dumb', USER };
  const readCore = () => {
    try {
      return JSON.parse(readFileSync(coreFile, 'utf8'));
    } catch {
      return undefined;
    }
  };
  return {
    dataDir,
    env: { ...six, TOOLKEEP_HOME: dataDir, ...(!usesKeyring && { TOOLKEEP_NO_KEYRING: '1' }) },
    /** The running Core's process ID. */
    corePid: () => readCore()?.pid,
    serves: () => until(() => readCore()?.httpUrl && readCore(), 'the Core serves'),
    /** Ends Core, whichever program runs it. */
    async endCore() {
      const pid = readCore()?.pid;
      if (pid === undefined) return;
      process.kill(pid, 'SIGTERM');
      await until(() => !existsSync(coreFile) || !isAlive(pid), 'the Core has ended', quitTimeoutMs);
      // Windows ends a process at once, and its files stay.
      rmSync(coreFile, { force: true });
    },
    /** Copies the log into the folder of the job's artifacts. */
    keepLogs(folder) {
      const logs = join(dataDir, 'logs');
      if (existsSync(logs)) cpSync(logs, join(folder, 'logs'), { recursive: true });
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Windows programs need more of their environment; the SDK passes these on. */
function windowsVariables() {
  const names =
    'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE'.split(
      ' ',
    );
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Starts the app as the user does, with the environment variables of this session. */
export function startApp(command, args, { env }) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  return {
    ended,
    errors: () => errors.slice(-500),
    async quit() {
      // Windows has no signals: its installer quits the app in the same way.
      if (process.platform === 'win32')
        spawn(command, [...args.filter((arg) => arg !== '--hidden'), '--quit'], { env: { ...process.env, ...env } });
      else child.kill('SIGTERM');
      const timeout = new Promise((resolve) => setTimeout(() => resolve('still running'), quitTimeoutMs));
      const code = await Promise.race([ended, timeout]);
      if (code === 'still running') child.kill('SIGKILL');
      return code;
    },
  };
}

/** An MCP client that starts the bridge. */
export function connectClient(command, args, env) {
  const bridge = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'], shell: command.endsWith('.cmd') });
  let output = '';
  let failure;
  bridge.on('error', (error) => {
    failure = error;
  });
  bridge.stdin.on('error', () => undefined);
  let lastId = 0;
  bridge.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const send = (message) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  async function request(method, params = {}) {
    lastId += 1;
    const id = lastId;
    send({ id, method, params });
    const line = await until(() => {
      if (failure) throw failure;
      if (bridge.exitCode !== null) throw new Error(`the bridge ended with ${bridge.exitCode}`);
      return output.split('\n').find((each) => each.startsWith('{') && each.includes(`"id":${id}`));
    }, `the answer to ${method}`);
    const { result, error } = JSON.parse(line);
    if (error) throw new Error(error.message);
    return result;
  }
  const clientInfo = { name: 'smoke', version: '1' };
  const initialized = request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }).then(() =>
    send({ method: 'notifications/initialized' }),
  );
  // The next request reports this failure.
  initialized.catch(() => undefined);
  return {
    async listTools() {
      await initialized;
      const { tools } = await request('tools/list');
      return tools.map(({ name }) => name);
    },
    async callTool(name, given) {
      await initialized;
      return (await request('tools/call', { name, arguments: given })).content?.[0]?.text;
    },
    close: () => bridge.kill(),
  };
}
