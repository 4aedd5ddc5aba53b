/** Asks a D-Bus service a question whose answer is true or false, with the program that the system has. Linux only. */
import { execFile } from 'node:child_process';

export interface BusCall {
  bus: 'session' | 'system';
  destination: string;
  path: string;
  /** The interface and the method, joined by a dot. */
  method: string;
  strings: string[];
}

/** Resolves with undefined if nothing answered within `timeoutMs`, for example because neither program is installed. */
export async function askBus(call: BusCall, timeoutMs: number): Promise<boolean | undefined> {
  return (await ask('dbus-send', dbusSend(call), timeoutMs)) ?? (await ask('busctl', busctl(call), timeoutMs));
}

const dbusSend = ({ bus, destination, path, method, strings }: BusCall): string[] => [
  ...[`--${bus}`, '--print-reply=literal', `--dest=${destination}`, path, method],
  ...strings.map((text) => `string:${text}`),
];

const busctl = ({ bus, destination, path, method, strings }: BusCall): string[] => [
  ...[bus === 'session' ? '--user' : '--system', 'call', destination, path],
  ...[...method.split(/\.(?=[^.]+$)/), 's'.repeat(strings.length), ...strings],
];

function ask(program: string, args: string[], timeoutMs: number): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: timeoutMs }, (error, stdout) =>
      resolve(error ? undefined : stdout.includes('true')),
    );
  });
}
