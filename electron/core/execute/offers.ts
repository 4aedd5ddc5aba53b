/** An agent asked for what is off: the person may be offered to switch it on, and the agent is told the truth (rows N6, B18). */
import { assertNever } from '../../../shared/failure.ts';
import type { OffReason, Question } from '../../../shared/model.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';

export interface Wanted {
  client: string;
  server: string;
  tool: string;
  reason: OffReason;
  /** For `changed`: the definition that was accepted, and the one now. */
  change?: NonNullable<Question['offer']>['change'];
}

export interface Offers {
  /** Tells the person as the settings say; returns at once with what the agent should know, '' for nothing. */
  want(wanted: Wanted): string;
  /** Withdraws every open offer. */
  close(): void;
}

/** After a no, a notice or a question nobody answered, the same tool is not brought up again for so long. */
const quietMs = 60 * 60_000;
const maxRemembered = 5_000;

export function createOffers(options: {
  elicitation: Elicitation;
  setting(): 'never' | 'notify' | 'ask';
  timeoutMs(): number;
  onNotice(wanted: Wanted): void;
  onDecision(wanted: Wanted, outcome: string): void;
  switchOn(wanted: Wanted): Promise<void>;
  onError(error: unknown): void;
}): Offers {
  const { elicitation } = options;
  const open = new Set<string>();
  const quiet = new Map<string, { until: number; said: string }>();
  const closing = new AbortController();

  function hush(key: string, said: string): void {
    if (quiet.size >= maxRemembered) quiet.clear();
    quiet.set(key, { until: Date.now() + quietMs, said });
  }

  async function ask(key: string, wanted: Wanted): Promise<void> {
    open.add(key);
    const { client, server, tool, reason, change } = wanted;
    try {
      const answer = await elicitation.ask(
        {
          kind: 'offer',
          message: '',
          fields: [],
          from: { client, server, tool },
          offer: { reason, ...(change && { change }) },
        },
        { timeoutMs: options.timeoutMs(), signal: closing.signal },
      );
      if (answer.action === 'accept') {
        await options.switchOn(wanted);
        options.onDecision(wanted, 'switched on');
      } else {
        const isNo = answer.action === 'decline';
        hush(key, isNo ? 'The person was asked and wants it to stay off.' : 'The person was asked and did not answer.');
        options.onDecision(wanted, isNo ? 'stays off' : 'not answered');
      }
    } finally {
      open.delete(key);
    }
  }

  return {
    want(wanted) {
      const setting = options.setting();
      const key = JSON.stringify([wanted.server, wanted.tool, wanted.reason]);
      const known = quiet.get(key);
      if (known && known.until < Date.now()) quiet.delete(key);
      if (setting === 'never') return '';
      if (known && known.until >= Date.now()) return known.said;
      switch (setting) {
        case 'notify':
          options.onNotice(wanted);
          hush(key, 'The person was told that it is wanted.');
          return 'The person was told that it is wanted.';
        case 'ask':
          if (!elicitation.canAsk()) return '';
          if (!open.has(key)) ask(key, wanted).catch(options.onError);
          return 'The person is being asked whether to switch it on. Try again in a moment.';
        default:
          return assertNever(setting);
      }
    },
    close: () => closing.abort(),
  };
}
