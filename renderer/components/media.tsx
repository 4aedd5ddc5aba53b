/**
 * Images, audio and other files in a result. The content security policy forbids `data:` URLs, so images and audio are
 * decoded here.
 */
import { Download, FileArchive, type LucideIcon, Play, Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../text.tsx';
import { Button } from './button.tsx';
import styles from './result-view.module.css';
import { saveFile } from './save-file.ts';
import { VisibleText } from './untrusted-text.tsx';

export function Picture({ data, type }: { data: string; type: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isGone = false;
    async function draw(): Promise<void> {
      const bitmap = await createImageBitmap(new Blob([bytesOf(data)], { type }));
      if (isGone || !canvas.current) return;
      canvas.current.width = bitmap.width;
      canvas.current.height = bitmap.height;
      canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
    }
    draw().catch(() => setProblem(t('Cannot show this image ({type}).', { type: type || t('unknown type') })));
    return () => {
      isGone = true;
    };
  }, [data, type]);
  if (problem) return <p className="muted">{problem}</p>;
  return (
    <div className="line">
      <canvas ref={canvas} className={styles.picture} role="img" aria-label={t('Image, {type}', { type })} />
      <SaveButton data={data} type={type} name="picture" label={t('Save image')} />
    </div>
  );
}

export function Sound({ data, type }: { data: string; type: string }) {
  const playing = useRef<AudioContext>(undefined);
  const [isPlaying, setPlaying] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => () => void playing.current?.close(), []);

  function stop(): void {
    void playing.current?.close();
    playing.current = undefined;
    setPlaying(false);
  }
  async function play(): Promise<void> {
    setPlaying(true);
    const context = new AudioContext();
    playing.current = context;
    try {
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(bytesOf(data).buffer);
      source.connect(context.destination);
      source.onended = stop;
      source.start();
    } catch {
      setProblem(t('Cannot play this audio ({type}).', { type: type || t('unknown type') }));
      stop();
    }
  }
  return (
    <div className="line">
      <Attachment icon={Volume2} name={t('Audio, {type}', { type: type || t('unknown type') })} detail={sizeOf(data)} />
      {problem ? (
        <p className="muted">{problem}</p>
      ) : (
        <Button icon={isPlaying ? Square : Play} onClick={() => (isPlaying ? stop() : void play())}>
          {isPlaying ? t('Stop') : t('Play')}
        </Button>
      )}
      <SaveButton data={data} type={type} name="sound" label={t('Save audio')} />
    </div>
  );
}

/** A file that cannot be shown. */
export function Binary({ data, type }: { data: string; type: string }) {
  return (
    <div className="line">
      <Attachment
        icon={FileArchive}
        name={t('Binary data, {type}', { type: type || t('unknown type') })}
        detail={sizeOf(data)}
      />
      <SaveButton data={data} type={type} name="file" label={t('Save file')} />
    </div>
  );
}

export function Attachment({ icon: Icon, name, detail }: { icon: LucideIcon; name: string; detail: string }) {
  return (
    <p className="line">
      <Icon className="icon" aria-hidden />
      <VisibleText text={name} />
      {detail && detail !== name && <VisibleText as="span" className="muted small" text={detail} />}
    </p>
  );
}

const sizeOf = (base64: string) => t('{size, number} KB', { size: Math.ceil((base64.length * 0.75) / 1024) });

function SaveButton({ data, type, name, label }: { data: string; type: string; name: string; label: string }) {
  const extension = /^\w+\/([a-z0-9]{1,8})/i.exec(type)?.[1] ?? 'bin';
  return (
    <Button
      look="quiet"
      icon={Download}
      aria-label={label}
      onClick={() => saveFile(`${name}.${extension}`, type, bytesOf(data))}
    >
      {t('Save')}
    </Button>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
