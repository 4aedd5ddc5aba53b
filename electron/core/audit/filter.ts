/** Which records of the history somebody wants to see. */
import type { CallFilter, CallRecord } from '../../../shared/model.ts';

/** All that is given must fit; words are looked for in everything that a person can read of a record. */
export function fits({ server, client, kind, text, from, to }: CallFilter): (entry: CallRecord) => boolean {
  const needle = text?.toLowerCase();
  return (entry) =>
    (!server || entry.server === server) &&
    (!client || entry.client === client) &&
    (!kind || entry.kind === kind) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (!needle || readable(entry).includes(needle));
}

const readable = ({ client, server, tool, arguments: given, outcome, code = '' }: CallRecord) =>
  `${client} ${server} ${tool} ${given} ${outcome} ${code}`.toLowerCase();
