/** The time left to answer a question. Not a live region: announcing every second would be noise. */
import { Timer } from 'lucide-react';
import { t } from '../text.tsx';
import styles from './countdown.module.css';
import { useNow } from './use-now.ts';

export function Countdown({ from, to }: { from: number; to: number }) {
  const leftMs = Math.max(0, to - useNow(500));
  const seconds = Math.ceil(leftMs / 1000);
  const isShort = seconds <= 20;
  const text =
    seconds >= 60
      ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
      : t('{seconds} s', { seconds });
  return (
    <span
      className={isShort ? `${styles.countdown} ${styles.countdownShort}` : styles.countdown}
      role="timer"
      aria-live="off"
      title={t('Denied when time runs out')}
    >
      <Timer className="icon" aria-hidden />
      <span className="sr-only">{t('Time left:')} </span>
      {leftMs === 0 ? t('expired') : text}
      <progress max={to - from} value={leftMs} aria-label={t('Time left')} />
    </span>
  );
}
