/** Commands on the configuration. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { settingsOf } from '../chosen.ts';
import { readSource } from '../import/import.ts';
import type { Parts } from './parts.ts';

type Handlers = Pick<CommandHandlers, 'config.show' | 'config.validate' | 'config.reload'>;

export function configCommands(parts: Parts): Handlers {
  const { host, config, plugins, servers, toolbox } = parts;
  return {
    'config.show': async () => {
      const { config: current, file } = config.state;
      const sources = current.sources.map(async (source) => {
        const read = await readSource(host, source);
        return { ...source, found: read.found, servers: read.servers.length };
      });
      const tools = toolbox.all();
      const names = servers.configs().map(({ name }) => name);
      return {
        enabled: current.enabled,
        cache: current.cache,
        ...(file && { file }),
        settings: settingsOf(current, host.store.get('chosen'), config.state.written),
        sources: await Promise.all(sources),
        rules: current.toolRules,
        servers: {
          configured: names.length,
          connected: names.filter((name) => servers.state(name).status === 'ready').length,
        },
        tools: { total: tools.length, enabled: tools.filter((tool) => tool.enabled).length },
      };
    },
    'config.validate': async () => {
      const { file, problems, warnings } = config.state;
      const rules = toolbox.ruleViews();
      const notes = rules.flatMap((rule, index) => [
        ...(rule.problem ? [`Rule ${index + 1}: ${rule.problem}`] : []),
        ...(rule.shadowedBy === undefined
          ? []
          : [`Rule ${index + 1} can never decide anything: rule ${rule.shadowedBy + 1} comes first.`]),
      ]);
      const read = await Promise.all(config.state.config.sources.map((source) => readSource(host, source)));
      const all = [...problems, ...plugins.problems, ...read.flatMap((source) => source.problems)];
      return { valid: all.length === 0, ...(file && { file }), problems: all, warnings: [...warnings, ...notes] };
    },
    'config.reload': async () => {
      const startedAt = performance.now();
      const report = await parts.reload();
      return { ...report, durationMs: performance.now() - startedAt };
    },
  };
}
