/** Finds the declared version of a server or tool in the usual fields, otherwise in the tool's name. */
import { isObject } from '../../../../shared/is-object.ts';
import type { ToolDefinition } from '../../../../shared/model/tool.ts';

const maxLength = 60;

/** The version as one short line; undefined if none is declared. */
export function versionText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const line = String(value)
    .slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
  return line === '' ? undefined : line;
}

/** `create_issue_v2`, `create-issue.v2.1`, `createIssueV2`. */
const inName = /(?:[_.-]v|(?<=[a-z])V)(\d{1,4}(?:[._]\d{1,4}){0,3})$/;

export function toolVersion(definition: ToolDefinition): string | undefined {
  const meta = fields(definition._meta);
  const said = [definition.version, meta.version, fields(meta.fastmcp).version, fields(meta._fastmcp).version];
  const stated = said.map(versionText).find((version) => version !== undefined);
  return stated ?? inName.exec(definition.name.slice(-40))?.[1]?.replaceAll('_', '.');
}

const fields = (value: unknown) => (isObject(value) ? value : {});
