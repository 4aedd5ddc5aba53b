/** Views that are empty, full, broken or disconnected. */
import { annotate } from '../../../../electron/core/tools/assessment/annotate.ts';
import { server } from '../sample-servers.ts';
import type { Scene } from './scene.ts';

const emptyRoutes = ['home', 'servers', 'tools', 'rules', 'import', 'browse', 'clients', 'clients/profiles', 'history'];
const emptySettings = ['settings', 'settings/approvals', 'settings/secrets', 'settings/folders', 'settings/status'];
const brokenRoutes = ['home', 'servers', 'tools', 'rules', 'history', 'clients'];

const nameOf = (route: string) => route.replaceAll('/', '-');

export const stateScenes: Scene[] = [
  ...[...emptyRoutes, ...emptySettings].map(
    (route): Scene => ({ name: `${nameOf(route)}-empty`, route, data: { empty: true } }),
  ),
  ...brokenRoutes.map((route): Scene => ({ name: `${nameOf(route)}-error`, route, data: { broken: true } })),
  ...['servers/gone', 'tools/github/gone'].map((route): Scene => ({ name: nameOf(route), route })),
  { name: 'tools-10000', route: 'tools', data: { tools: 10_000 } },
  {
    name: 'tools-10000-filtered',
    route: 'tools/filesystem/delete_file',
    data: { tools: 10_000 },
    act: async (page) => {
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('searchbox').fill('delete');
      await page
        .getByRole('option', { name: /delete/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'tools-no-match',
    route: 'tools',
    act: async (page) => {
      await page.getByRole('searchbox').fill('no tool has this name');
      await page.getByText('No matches').waitFor();
    },
  },
  ...['home', 'servers', 'settings/status'].map(
    (route): Scene => ({
      name: `${nameOf(route)}-200`,
      route,
      data: { tools: 10_000 },
      prepare({ state }) {
        for (let index = state.servers.length; index < 200; index += 1)
          state.servers.push(server({ id: `server-${index}`, status: index % 9 === 0 ? 'failed' : 'ready' }));
      },
    }),
  ),
  {
    name: 'servers-no-match',
    route: 'servers',
    act: (page) => page.getByRole('searchbox', { name: 'Filter servers' }).fill('no server has this name'),
  },
  {
    name: 'loading',
    route: 'tools',
    isLoading: true,
    prepare({ handlers }) {
      handlers['tools.list'] = () => new Promise<never>(() => undefined);
    },
  },
  {
    name: 'paused',
    route: 'home',
    prepare({ state }) {
      state.paused = true;
    },
  },
  {
    name: 'invalid-config',
    route: 'settings',
    prepare({ handlers }) {
      const file = '/home/ada/.toolkeep/config.yaml';
      const problem = (line: number, path: string, message: string, hint?: string) => ({
        code: 'CONFIG_INVALID' as const,
        message: `${path}: ${message} (${file}, line ${line})`,
        file,
        line,
        path,
        hint,
      });
      const problems = [
        problem(9, 'toolRules[0].enable', 'unknown key "enable"; did you mean "enabled"?'),
        problem(4, 'servers[0].connection', 'needs a "command" that starts the server, or its "url"'),
        problem(12, 'toolRules[1].pattern', 'The pattern "/(/" is not valid.', 'Close the parenthesis.'),
      ];
      handlers['config.validate'] = () => ({ valid: false, inEffect: 'last', file, problems, warnings: [] });
    },
  },
  {
    name: 'disconnected',
    route: 'servers',
    act: async (page, _core, { served }) => {
      await served.close();
      await page.getByText('Toolkeep is not responding.').waitFor();
    },
  },
  {
    name: 'toast',
    route: 'servers/memory',
    act: async (page) => {
      await page.getByRole('button', { name: 'More for memory' }).click();
      await page.getByRole('menuitem', { name: 'Remove…' }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    },
  },
  { name: 'tokens', route: 'clients/tokens' },
  { name: 'changes', route: 'history/changes' },
  {
    name: 'change-undo',
    route: 'history/changes',
    act: (page) => page.getByRole('button', { name: 'Undo: Disabled github/delete_repository' }).click(),
  },
  {
    name: 'change-undo-file',
    route: 'history/changes',
    act: (page) => page.getByRole('button', { name: 'Undo: Connected Cursor' }).click(),
  },
  { name: 'changes-empty', route: 'history/changes', data: { empty: true } },
  {
    name: 'paused-until',
    route: 'home',
    prepare({ state }) {
      state.paused = true;
      state.pausedUntil = state.now + 3_600_000;
    },
  },
  {
    name: 'pause-menu',
    route: 'home',
    act: (page) => page.getByRole('button', { name: 'Pause for a time' }).click(),
  },
  {
    name: 'tools-10000-by-calls',
    route: 'tools',
    data: { tools: 10_000 },
    act: async (page) => {
      await page.getByRole('button', { name: /^Sort by/ }).click();
      await page.getByRole('menuitemradio', { name: 'Calls', exact: true }).click();
    },
  },
  {
    name: 'tools-10000-scrolled',
    route: 'tools',
    data: { tools: 10_000 },
    act: async (page) => {
      await page.getByRole('listbox', { name: 'Tools' }).evaluate((list) => list.scrollBy(0, 30_000));
      await page.getByText('service-01').first().waitFor();
    },
  },
  {
    name: 'tools-effects',
    route: 'tools',
    prepare({ state }) {
      for (const tool of state.tools) {
        const { annotations } = tool;
        if (annotations.safetyLevel === 'safe') continue;
        const { effects } = annotate({ name: tool.name, description: tool.description, inputSchema: {} }).annotations;
        tool.annotations = { ...annotations, effects: effects ?? [] };
      }
    },
    act: (page) => page.locator('[data-effect=destroys]').first().click(),
  },
];
