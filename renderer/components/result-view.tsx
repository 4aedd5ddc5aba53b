/** The result of a request to a server: rendered content, or the whole result as JSON. */
import { CircleAlert, CircleCheck, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { textFrom } from '../../shared/text-from.ts';
import { t } from '../text.tsx';
import { Button } from './button.tsx';
import { type Block, ContentBlock, JsonValue } from './content-block.tsx';
import { Segments } from './controls.tsx';
import { CopyButton } from './copy-block.tsx';
import { JsonText } from './json-text.tsx';
import styles from './result-view.module.css';
import { saveFile } from './save-file.ts';
import { Quoted } from './untrusted-text.tsx';

interface ResultViewProps {
  result: Record<string, unknown>;
  by: string;
  note: string;
  /** The rendered content, unless the result is that of a tool call. */
  children?: ReactNode;
  /** The text of `children`, for the clipboard. */
  text?: string;
}

export function ResultView({ result, by, note, children, text }: ResultViewProps) {
  const [format, setFormat] = useState('content');
  const blocks = Array.isArray(result.content) ? (result.content as Block[]) : [];
  const isError = result.isError === true;
  const Icon = isError ? CircleAlert : CircleCheck;
  return (
    <div className={styles.result}>
      <header className={styles.resultHead}>
        <Icon className={isError ? 'icon bad' : 'icon good'} aria-hidden />
        <span>{isError ? t('The tool returned an error') : t('Done')}</span>
        <span className="muted">{note}</span>
        <Segments
          label={t('Result format')}
          value={format}
          options={[
            ['content', t('Content')],
            ['json', 'JSON'],
          ]}
          onChange={setFormat}
        />
        <span className={styles.resultActions}>
          <CopyButton
            text={format === 'content' && text ? text : copiedText(blocks, result, format)}
            label={t('Copy result')}
          />
          <Button
            look="quiet"
            icon={Download}
            aria-label={t('Save result')}
            onClick={() => saveFile('result.json', 'application/json', JSON.stringify(result, null, 2))}
          >
            {t('Save')}
          </Button>
        </span>
      </header>
      <Quoted by={t('Result from {by}', { by })}>
        {format === 'json' ? (
          <JsonText value={result} />
        ) : children !== undefined ? (
          children
        ) : (
          <>
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: content blocks have no other identity
              <ContentBlock key={index} block={block} />
            ))}
            {result.structuredContent !== undefined && (
              <div>
                <p className="muted small">{t('Structured content')}</p>
                <JsonValue value={result.structuredContent} />
              </div>
            )}
            {blocks.length === 0 && result.structuredContent === undefined && (
              <p className="muted">{t('Empty result.')}</p>
            )}
          </>
        )}
      </Quoted>
    </div>
  );
}

function copiedText(blocks: readonly Block[], result: Record<string, unknown>, format: string): string {
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => textFrom(text ?? ''));
  return format === 'json' || texts.length === 0 ? JSON.stringify(result, null, 2) : texts.join('\n');
}
