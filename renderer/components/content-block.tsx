/** One content block of a tool's result or of a prompt, and the content of a resource. */
import { FileText } from 'lucide-react';
import { parseJson } from '../../shared/parse-json.ts';
import { textFrom } from '../../shared/text-from.ts';
import { JsonText } from './json-text.tsx';
import { Attachment, Binary, Picture, Sound } from './media.tsx';
import { ResultTable, tableOf } from './result-table.tsx';
import { FoldableText } from './untrusted-text.tsx';

export type Block = Record<string, unknown>;

export function ContentBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <TextBlock text={textFrom(block.text ?? '')} />;
    case 'image':
      return <Picture data={textFrom(block.data ?? '')} type={textFrom(block.mimeType ?? '')} />;
    case 'audio':
      return <Sound data={textFrom(block.data ?? '')} type={textFrom(block.mimeType ?? '')} />;
    case 'resource_link':
      return (
        <Attachment
          icon={FileText}
          name={textFrom(block.title ?? block.name ?? block.uri)}
          detail={textFrom(block.uri ?? '')}
        />
      );
    case 'resource': {
      const resource = (block.resource ?? {}) as Block;
      return (
        <div>
          <Attachment
            icon={FileText}
            name={textFrom(resource.uri ?? 'resource')}
            detail={textFrom(resource.mimeType ?? '')}
          />
          <ResourceContent resource={resource} />
        </div>
      );
    }
    default:
      return <JsonText value={block} />;
  }
}

/** The content of a resource, which is either text or binary. */
export function ResourceContent({ resource: { text, blob, mimeType } }: { resource: Block }) {
  const type = typeof mimeType === 'string' ? mimeType : '';
  if (typeof text === 'string') return <TextBlock mono text={text} />;
  if (typeof blob !== 'string') return null;
  if (type.startsWith('image/')) return <Picture data={blob} type={type} />;
  return type.startsWith('audio/') ? <Sound data={blob} type={type} /> : <Binary data={blob} type={type} />;
}

/** Servers often return JSON as text. */
function TextBlock({ text, mono }: { text: string; mono?: boolean }) {
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return json === undefined ? <FoldableText mono={mono} text={text} /> : <JsonValue value={json} />;
}

/** Shows a JSON value. A list of similar objects becomes a table. */
export function JsonValue({ value }: { value: unknown }) {
  const table = tableOf(value);
  return table ? <ResultTable {...table} /> : <JsonText value={value} />;
}
