/** Whether a process runs, also one of another user. */
import { isProcessAlive } from '../../../shared/protocol/bridge-protocol.ts';

export function isAlive(pid: number): boolean {
  return isProcessAlive(pid, process.kill);
}
