/** Pictures, sounds and other files in a result. The content security policy forbids `data:` URLs, so both are decoded here. */
import { Download, FileArchive, Play, Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './result-view.module.css';
import { saveFile } from './save-file.ts';

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
    draw().catch(() => setProblem(`Cannot show this image (${type || 'unknown type'}).`));
    return () => {
      isGone = true;
    };
  }, [data, type]);
  if (problem) return <p className="muted">{problem}</p>;
  return (
    <div className={styles.media}>
      <canvas ref={canvas} className={styles.picture} role="img" aria-label={`Image, ${type}`} />
      <SaveButton data={data} type={type} name="picture" />
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
      setProblem(`Cannot play this sound (${type || 'unknown type'}).`);
      stop();
    }
  }
  return (
    <div className={styles.media}>
      <p className={styles.attachment}>
        <Volume2 className="icon" aria-hidden />
        Audio, {type || 'unknown type'}
        <span className="muted small">{sizeOf(data)}</span>
      </p>
      {problem ? (
        <p className="muted">{problem}</p>
      ) : (
        <Button icon={isPlaying ? Square : Play} onClick={() => (isPlaying ? stop() : void play())}>
          {isPlaying ? 'Stop' : 'Play'}
        </Button>
      )}
      <SaveButton data={data} type={type} name="sound" />
    </div>
  );
}

/** A file that cannot be shown. */
export function Binary({ data, type }: { data: string; type: string }) {
  return (
    <div className={styles.media}>
      <p className={styles.attachment}>
        <FileArchive className="icon" aria-hidden />
        Binary data, {type || 'unknown type'}
        <span className="muted small">{sizeOf(data)}</span>
      </p>
      <SaveButton data={data} type={type} name="file" />
    </div>
  );
}

const sizeOf = (base64: string) => `${Math.ceil((base64.length * 0.75) / 1024).toLocaleString('en')} KB`;

function SaveButton({ data, type, name }: { data: string; type: string; name: string }) {
  const extension = /^\w+\/([a-z0-9]{1,8})/i.exec(type)?.[1] ?? 'bin';
  return (
    <Button
      look="quiet"
      icon={Download}
      aria-label={`Save the ${name}`}
      onClick={() => saveFile(`${name}.${extension}`, type, bytesOf(data))}
    >
      Save
    </Button>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
