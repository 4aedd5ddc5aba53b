/** Status labels. Each has a word or an icon, so color is never the only signal. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  LoaderCircle,
  LogIn,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { ServerView } from '../../shared/model/server.ts';
import type { SafetyLevel } from '../../shared/model/tool.ts';
import { t } from '../text.tsx';
import { phaseLabels } from './labels.ts';

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
const safetyLabel = { safe: t('Safe'), moderate: t('Moderate'), dangerous: t('Dangerous') } as const;

export function SafetyBadge({ level }: { level: SafetyLevel }) {
  return <Badge tone={safetyTone[level]}>{safetyLabel[level]}</Badge>;
}

const statusStyle: Record<ServerView['status'], { label: string; tone: Tone; icon: LucideIcon }> = {
  ready: { label: t('Running'), tone: 'good', icon: CircleCheck },
  idle: { label: t('Idle'), tone: 'neutral', icon: CircleDashed },
  starting: { label: t('Starting'), tone: 'accent', icon: LoaderCircle },
  failed: { label: t('Failed'), tone: 'bad', icon: CircleAlert },
  disabled: { label: t('Disabled'), tone: 'neutral', icon: CirclePause },
};

const signInStyle = { label: t('Sign-in needed'), tone: 'warn', icon: LogIn } as const;

export function StatusBadge({ server }: { server: Pick<ServerView, 'status' | 'phase' | 'signIn'> }) {
  const needsSignIn = server.status === 'failed' && server.signIn === 'needed';
  const { label, tone, icon: Icon } = needsSignIn ? signInStyle : statusStyle[server.status];
  return (
    <span className={`status ${tone}`}>
      <Icon className={server.status === 'starting' ? 'icon spin' : 'icon'} aria-hidden />
      {label}
      {server.status === 'starting' && server.phase ? `: ${phaseLabels[server.phase]}` : ''}
    </span>
  );
}
