/** Small labels: never colour alone, always a word or a sign with it. */
import { CircleAlert, CircleCheck, CircleDashed, CirclePause, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SafetyLevel, ServerView } from '../../shared/model.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export function Badge({
  tone = 'neutral',
  icon: Icon,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span className={`badge badge-${tone}`}>
      {Icon && <Icon className="icon" aria-hidden />}
      {children}
    </span>
  );
}

const safetyTone = { safe: 'good', moderate: 'neutral', dangerous: 'bad' } as const;
const safetyWord = { safe: 'Safe', moderate: 'Moderate', dangerous: 'Dangerous' } as const;

export function SafetyBadge({ level }: { level: SafetyLevel }) {
  return <Badge tone={safetyTone[level]}>{safetyWord[level]}</Badge>;
}

const statusLook: Record<ServerView['status'], { word: string; tone: Tone; icon: LucideIcon }> = {
  ready: { word: 'Running', tone: 'good', icon: CircleCheck },
  idle: { word: 'Starts on use', tone: 'neutral', icon: CircleDashed },
  starting: { word: 'Starting', tone: 'accent', icon: LoaderCircle },
  failed: { word: 'Failed', tone: 'bad', icon: CircleAlert },
  disabled: { word: 'Switched off', tone: 'neutral', icon: CirclePause },
};

export function StatusBadge({ server }: { server: Pick<ServerView, 'status' | 'phase'> }) {
  const { word, tone, icon: Icon } = statusLook[server.status];
  return (
    <span className={`status status-${tone}`}>
      <Icon className={server.status === 'starting' ? 'icon spin' : 'icon'} aria-hidden />
      {word}
      {server.status === 'starting' && server.phase ? `: ${server.phase}` : ''}
    </span>
  );
}
