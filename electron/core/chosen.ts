/** What the person chose in the window goes before what the config file says of the same thing. */
import type { Config } from './config/config.ts';
import type { Chosen } from './host.ts';

type Whole = Required<Chosen>;

/** The choices as a config makes them. */
export function choicesOf({ results, approvals, http }: Config): Whole {
  return { partLength: results.partLength, questionTimeoutMs: approvals.timeoutMs, http: http.enabled };
}

export function withChosen(config: Config, chosen: Chosen): Config {
  if (Object.keys(chosen).length === 0) return config;
  const { partLength, http } = { ...choicesOf(config), ...chosen };
  const timeout = chosen.questionTimeoutMs === undefined ? {} : { timeoutMs: chosen.questionTimeoutMs };
  return {
    ...config,
    results: { ...config.results, partLength },
    approvals: { ...config.approvals, ...timeout },
    elicitation: { ...config.elicitation, ...timeout },
    http: { ...config.http, enabled: http },
  };
}

/** What stays chosen after a change: whoever goes back to what the file says follows the file again. */
export function choose(
  config: Config,
  chosen: Chosen,
  change: { [K in keyof Chosen]?: Chosen[K] | undefined },
): Chosen {
  const inFile: Record<string, unknown> = { ...choicesOf(config) };
  const next = Object.entries({ ...chosen, ...change });
  return Object.fromEntries(next.filter(([key, value]) => value !== undefined && value !== inFile[key]));
}
