/** The result of a tool call: every content block in the form that suits it, and the whole as JSON. */
import { CircleAlert, CircleCheck, FileText, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Segments } from './controls.tsx';
import { FoldableText, Quoted, VisibleText } from './server-text.tsx';

type Block = Record<string, unknown>;

export function ResultView({ result, by, note }: { result: Record<string, unknown>; by: string; note: string }) {
  const [way, setWay] = useState('shown');
  const blocks = Array.isArray(result.content) ? (result.content as Block[]) : [];
  const isError = result.isError === true;
  const Icon = isError ? CircleAlert : CircleCheck;
  return (
    <div className={isError ? 'result result-bad' : 'result'}>
      <header className="result-head">
        <Icon className="icon" aria-hidden />
        <span>{isError ? 'The tool answered with an error' : 'Done'}</span>
        <span className="muted">{note}</span>
        <Segments
          label="How to show the result"
          value={way}
          options={[
            ['shown', 'Content'],
            ['json', 'JSON'],
          ]}
          onChange={setWay}
        />
      </header>
      <Quoted by={`${by} answered`}>
        {way === 'json' ? (
          <FoldableText mono text={JSON.stringify(result, null, 2)} />
        ) : (
          <>
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: content blocks have no other identity
              <ContentBlock key={index} block={block} />
            ))}
            {result.structuredContent !== undefined && (
              <div className="result-structured">
                <p className="muted small">Structured content</p>
                <FoldableText mono text={JSON.stringify(result.structuredContent, null, 2)} />
              </div>
            )}
            {blocks.length === 0 && result.structuredContent === undefined && (
              <p className="muted">The result is empty.</p>
            )}
          </>
        )}
      </Quoted>
    </div>
  );
}

function ContentBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <FoldableText text={String(block.text ?? '')} />;
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
        <div className="resource">
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
    <p className="attachment">
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

/** Decoded to a canvas: the page's policy lets no `data:` image in, and a picture needs no more rights than this. */
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
    draw().catch(() => setProblem(`An image of type ${type || 'unknown'} that cannot be shown here.`));
    return () => {
      isGone = true;
    };
  }, [data, type]);
  return problem ? (
    <p className="muted">{problem}</p>
  ) : (
    <canvas ref={canvas} className="picture" role="img" aria-label={`Image, ${type}`} />
  );
}
