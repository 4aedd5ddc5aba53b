/** Times an echo call over several connections to the same server alternately, so load on the machine affects all of them. */
import { type Percentiles, percentiles } from './figures.ts';

/** Calls the echo tool with a message and resolves with the result. */
export type Echo = (message: string) => Promise<string>;

const rounds = 12;
/** A run of one character would look like a token to the redaction. */
const text = 'The quick brown fox, "quoted". ';

export function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}

/** A connection that returns anything but the echo would make the measurement invalid. */
export async function checked(ways: Record<string, Echo>): Promise<void> {
  for (const [name, echo] of Object.entries(ways)) {
    const answer = await echo('ü😀');
    if (answer !== 'Echo: ü😀') throw new Error(`${name} answered: ${answer}`);
  }
}

/** Milliseconds per call, for sequential calls with a message of this many characters. */
export async function oneByOne<Way extends string>(
  ways: Record<Way, Echo>,
  characters: number,
  perRound: number,
): Promise<Record<Way, Percentiles>> {
  const message = text.repeat(Math.ceil(characters / text.length)).slice(0, characters);
  return alternating(ways, async (echo, keep) => {
    for (let call = 0; call < perRound; call++) {
      const started = performance.now();
      const answer = await echo(message);
      keep(performance.now() - started);
      if (answer.length !== message.length + 6) throw new Error('Part of the message was lost.');
    }
  });
}

/** Calls per second, with fifty concurrent calls of 1 KB. */
export async function fiftyAtOnce<Way extends string>(ways: Record<Way, Echo>): Promise<Record<Way, Percentiles>> {
  const message = text.repeat(Math.ceil(1_000 / text.length)).slice(0, 1_000);
  return alternating(ways, async (echo, keep) => {
    const started = performance.now();
    for (let burst = 0; burst < 8; burst++) await Promise.all(Array.from({ length: 50 }, () => echo(message)));
    keep((8 * 50 * 1000) / (performance.now() - started));
  });
}

async function alternating<Way extends string>(
  ways: Record<Way, Echo>,
  run: (echo: Echo, keep: (figure: number) => void) => Promise<void>,
): Promise<Record<Way, Percentiles>> {
  const entries = Object.entries<Echo>(ways).map(([name, echo]) => ({ name, echo, figures: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { echo, figures } of entries) {
      // The first round warms up all the processes.
      await run(echo, (figure) => round > 0 && figures.push(figure));
    }
  }
  return Object.fromEntries(entries.map(({ name, figures }) => [name, percentiles(figures)])) as Record<
    Way,
    Percentiles
  >;
}
