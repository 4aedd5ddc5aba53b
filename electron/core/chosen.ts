/** What the person chose in the window goes before what the config file says of the same thing. */
import type { ConfigSetting } from '../../shared/model.ts';
import type { Config } from './config/config.ts';
import type { Chosen } from './host.ts';

type Whole = Required<Chosen>;

/** The choices as a config makes them. */
export function choicesOf({ results, approvals, http, history }: Config): Whole {
  return {
    ...{ partLength: results.partLength, questionTimeoutMs: approvals.timeoutMs },
    ...{ http: http.enabled, historyMonths: history.months },
  };
}

export function withChosen(config: Config, chosen: Chosen): Config {
  if (Object.keys(chosen).length === 0) return config;
  const { partLength, http, historyMonths } = { ...choicesOf(config), ...chosen };
  const timeout = chosen.questionTimeoutMs === undefined ? {} : { timeoutMs: chosen.questionTimeoutMs };
  return {
    ...config,
    results: { ...config.results, partLength },
    approvals: { ...config.approvals, ...timeout },
    elicitation: { ...config.elicitation, ...timeout },
    http: { ...config.http, enabled: http },
    history: { months: historyMonths },
  };
}

/** By its key in the file: which choice goes before it, and what a config has of it. */
const settings: Record<string, [choice: keyof Chosen, read: (config: Config) => number | boolean]> = {
  'approvals.timeout': ['questionTimeoutMs', ({ approvals }) => approvals.timeoutMs],
  'elicitation.timeout': ['questionTimeoutMs', ({ elicitation }) => elicitation.timeoutMs],
  'results.partLength': ['partLength', ({ results }) => results.partLength],
  'http.enabled': ['http', ({ http }) => http.enabled],
  'history.months': ['historyMonths', ({ history }) => history.months],
};

/** What is in force of all that can be chosen, and where it comes from; `written` are the keys that stand in the file. */
export function settingsOf(config: Config, chosen: Chosen, written: readonly string[]): ConfigSetting[] {
  const inForce = withChosen(config, chosen);
  return Object.entries(settings).map(([key, [choice, read]]) => {
    const origin = written.includes(key) ? ('file' as const) : ('default' as const);
    const value = read(inForce);
    if (chosen[choice] === undefined) return { key, value, origin };
    return { key, value, origin: 'window', otherwise: { value: read(config), origin } };
  });
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
