/** The result of a tool call: rendered content blocks, or the whole result as JSON. */
import { CircleAlert, CircleCheck, FileText, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Segments } from './controls.tsx';
import { CopyButton } from './copy-block.tsx';
import styles from './result-view.module.css';
import { FoldableText, Quoted, VisibleText } from './untrusted-text.tsx';

type Block = Record<string, unknown>;

export function ResultView({ result, by, note }: { result: Record<string, unknown>; by: string; note: string }) {
  const [format, setFormat] = useState('content');
  const blocks = Array.isArray(result.content) ? (result.content as Block[]) : [];
  const isError = result.isError === true;
  const Icon = isError ? CircleAlert : CircleCheck;
  return (
    <div className={isError ? `${styles.result} ${styles.resultBad}` : styles.result}>
      <header className={styles.resultHead}>
        <Icon className="icon" aria-hidden />
        <span>{isError ? 'The tool returned an error' : 'Done'}</span>
        <span className="muted">{note}</span>
        <Segments
          label="Result format"
          value={format}
          options={[
            ['content', 'Content'],
            ['json', 'JSON'],
          ]}
          onChange={setFormat}
        />
        <CopyButton text={copyText(blocks, result, format)} label="the result" />
      </header>
      <Quoted by={`Result from ${by}`}>
        {format === 'json' ? (
          <FoldableText mono text={JSON.stringify(result, null, 2)} />
        ) : (
          <>
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: content blocks have no other identity
              <ContentBlock key={index} block={block} />
            ))}
            {result.structuredContent !== undefined && (
              <div>
                <p className="muted small">Structured content</p>
                <FoldableText mono text={JSON.stringify(result.structuredContent, null, 2)} />
              </div>
            )}
            {blocks.length === 0 && result.structuredContent === undefined && <p className="muted">Empty result.</p>}
          </>
        )}
      </Quoted>
    </div>
  );
}

function ContentBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <TextBlock text={String(block.text ?? '')} />;
    case 'image':
      return <Picture data={String(block.data ?? '')} type={String(block.mimeType ?? '')} />;
    case 'audio':
      return (
        <Attachment
          icon={Volume2}
          name={`Audio, ${String(block.mimeType ?? 'unknown type')}`}
          size={String(block.data ?? '').length * 0.75}
        />
      );
    case 'resource_link':
      return (
        <Attachment
          icon={FileText}
          name={String(block.title ?? block.name ?? block.uri)}
          detail={String(block.uri ?? '')}
        />
      );
    case 'resource': {
      const resource = (block.resource ?? {}) as Block;
      return (
        <div>
          <Attachment
            icon={FileText}
            name={String(resource.uri ?? 'resource')}
            detail={String(resource.mimeType ?? '')}
          />
          {typeof resource.text === 'string' && <FoldableText mono text={resource.text} />}
        </div>
      );
    }
    default:
      return <FoldableText mono text={JSON.stringify(block, null, 2)} />;
  }
}

/** Servers often return JSON as text. */
function TextBlock({ text }: { text: string }) {
  const json = prettyJson(text);
  return <FoldableText mono={json !== undefined} text={json ?? text} />;
}

function prettyJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

function copyText(blocks: readonly Block[], result: Record<string, unknown>, format: string): string {
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => String(text ?? ''));
  return format === 'json' || texts.length === 0 ? JSON.stringify(result, null, 2) : texts.join('\n');
}

function Attachment({
  icon: Icon,
  name,
  detail,
  size,
}: {
  icon: typeof FileText;
  name: string;
  detail?: string;
  size?: number;
}) {
  return (
    <p className={styles.attachment}>
      <Icon className="icon" aria-hidden />
      <VisibleText text={name} />
      {detail && detail !== name && (
        <span className="muted small">
          <VisibleText text={detail} />
        </span>
      )}
      {size !== undefined && <span className="muted small">{Math.ceil(size / 1024).toLocaleString('en')} KB</span>}
    </p>
  );
}

/** Decoded to a canvas, because the content security policy forbids `data:` images. */
function Picture({ data, type }: { data: string; type: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isGone = false;
    async function draw(): Promise<void> {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type }));
      if (isGone || !canvas.current) return;
      canvas.current.width = bitmap.width;
      canvas.current.height = bitmap.height;
      canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
    }
    draw().catch(() => setProblem(`Cannot show this image (${type || 'unknown type'}).`));
    return () => {
      isGone = true;
    };
  }, [data, type]);
  return problem ? (
    <p className="muted">{problem}</p>
  ) : (
    <canvas ref={canvas} className={styles.picture} role="img" aria-label={`Image, ${type}`} />
  );
}
