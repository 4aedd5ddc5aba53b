/** Tells whether a process is running, even if it belongs to another user. */
import { isProcessAlive } from '../../../shared/protocol/bridge-protocol.ts';

export function isAlive(pid: number): boolean {
  return isProcessAlive(pid, process.kill);
}
