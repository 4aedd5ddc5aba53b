/** The sentences of the story of a day. */
import { userName } from '../../../shared/model/call.ts';
import type { StoryLine, StorySession } from '../../../shared/model/story.ts';
import { listOf } from '../../components/format.ts';
import { t } from '../../text.tsx';

/** The sentence of a line, without examples. */
export function lineText({ verb, noun, nouns, server, count }: StoryLine): string {
  const values = { noun, nouns, server, count };
  switch (verb) {
    case 'created':
      return t('{count, plural, one {Created # {noun}} other {Created # {nouns}}} in {server}', values);
    case 'changed':
      return t('{count, plural, one {Changed {noun} once} other {Changed {noun} # times}} in {server}', values);
    case 'deleted':
      return t('{count, plural, one {Deleted # {noun}} other {Deleted # {nouns}}} in {server}', values);
    case 'sent':
      return t('{count, plural, one {Sent # {noun}} other {Sent # {nouns}}} with {server}', values);
    case 'moved':
      return t('{count, plural, one {Moved # {noun}} other {Moved # {nouns}}} in {server}', values);
    case 'ran':
      return t('{count, plural, one {Ran {noun} once} other {Ran {noun} # times}} on {server}', values);
    case 'searched':
      return t('{count, plural, one {Searched {nouns} once} other {Searched {nouns} # times}} in {server}', values);
    case 'read':
      return t('{count, plural, one {Read # {noun}} other {Read # {nouns}}} in {server}', values);
    case 'denied':
      return t('{count, plural, one {You denied {noun} once} other {You denied {noun} # times}} on {server}', values);
    case 'unanswered':
      return t(
        '{count, plural, one {{noun} did not run once} other {{noun} did not run # times}} on {server}: you did not answer in time',
        values,
      );
    case 'refused':
      return t('{count, plural, one {{noun} was refused once} other {{noun} was refused # times}} on {server}', values);
    case 'canceled':
      return t(
        '{count, plural, one {{noun} was canceled once} other {{noun} was canceled # times}} on {server}',
        values,
      );
    case 'failed':
      return t('{count, plural, one {{noun} failed once} other {{noun} failed # times}} on {server}', values);
  }
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** As in `9:12 AM – 9:40 AM`. */
export const spanText = ({ from, to }: StorySession) => time.formatRange(from, to);

/** The whole day as text to share. */
export function storyText(
  title: string,
  sessions: readonly StorySession[],
  nameOf: (client: string) => string,
): string {
  const blocks = sessions.map((session) => {
    const who = session.client === userName ? t('You') : nameOf(session.client);
    const lines = session.lines.map((line) => {
      const examples = line.examples.length > 0 ? `: ${listOf(line.examples.map((name) => `“${name}”`))}` : '';
      return `- ${lineText(line)}${examples}`;
    });
    return [`${spanText(session)} ${who}`, ...lines].join('\n');
  });
  return [title, ...blocks].join('\n\n');
}
