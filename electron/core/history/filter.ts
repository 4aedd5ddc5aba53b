/** Selects history records. */
import type { CallFilter, CallRecord } from '../../../shared/model/call.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';

/** All given criteria must match; `text` is searched in every readable field of a record. */
export function matches({ server, client, kind, text, from, to }: CallFilter): (entry: CallRecord) => boolean {
  const needle = text?.toLowerCase();
  return (entry) =>
    (!server || entry.server === server) &&
    (!client || entry.client === client) &&
    (!kind || entry.kind === kind) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (!needle || searchableText(entry).includes(needle));
}

const searchableText = (record: CallRecord) => {
  const { client, server, tool, arguments: args, code = '' } = record;
  return `${client} ${server} ${tool} ${args} ${outcomeLabel(record)} ${code}`.toLowerCase();
};
