/** The assessment of tools: safety level, category, complexity and the rest. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import type { Category, SafetyLevel, ToolDefinition } from '../../../shared/model/tool.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';

interface Row {
  id: string;
  server: string;
  name: string;
  description: string;
  parameters: (string | { name: string; type?: string; description?: string })[];
  dangerous: boolean;
  level: SafetyLevel;
  readOnly: boolean;
  category: Category;
  half: 'tuning' | 'held-out';
}

function rows(file: string): Row[] {
  const lines = readFileSync(join(import.meta.dirname, '../../fixtures/tools', file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row & { note?: string }).filter((row) => row.note === undefined);
}

function definitionOf({ name, description, parameters }: Row): ToolDefinition {
  const properties = parameters.map((parameter) =>
    typeof parameter === 'string' ? [parameter, {}] : [parameter.name, { description: parameter.description }],
  );
  return { name, description, inputSchema: { type: 'object', properties: Object.fromEntries(properties) } };
}

const levelOf = (row: Row) => annotate(definitionOf(row)).annotations.safetyLevel;
const tool = (name: string, description = '', more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object' },
  ...more,
});
const judge = (...args: Parameters<typeof tool>) => annotate(tool(...args)).annotations;

/** How well the classifier detects dangerous tools: shares between 0 and 1. */
function measure(title: string, judged: { isDangerous: boolean; row: Row }[]) {
  const count = (isDangerous: boolean, told: boolean) =>
    judged.filter((one) => one.isDangerous === isDangerous && (levelOf(one.row) === 'dangerous') === told).length;
  const [hits, misses, alarms, quiet] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  const figures = {
    recall: hits / (hits + misses),
    precision: hits / (hits + alarms),
    falseAlarms: alarms / (alarms + quiet),
  };
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${title}: recall ${percent(figures.recall)} of ${hits + misses}, precision ${percent(figures.precision)}, false alarms ${percent(figures.falseAlarms)} of ${alarms + quiet}`,
  );
  return figures;
}

describe('The safety level, compared with labels,', () => {
  const catalogue = rows('livemcp.jsonl');
  const known = rows('known-tools.jsonl');
  const labels = rows('labels.jsonl');
  const byId = new Map(catalogue.map((row) => [row.id, row]));

  const bothHalves = [
    {
      title: 'all 527 tools of the real catalog',
      judged: catalogue.map((row) => ({ isDangerous: row.dangerous, row })),
    },
    {
      title: 'its held-out half',
      judged: catalogue.filter((_, i) => i % 2).map((row) => ({ isDangerous: row.dangerous, row })),
    },
    {
      title: '199 tools that many servers offer',
      judged: known.map((row) => ({ isDangerous: row.level === 'dangerous', row })),
    },
    {
      title: 'their held-out half',
      judged: known
        .filter((row) => row.half === 'held-out')
        .map((row) => ({ isDangerous: row.level === 'dangerous', row })),
    },
  ];
  it.each(bothHalves)('finds nearly all dangerous tools among $title, with few false alarms', ({ title, judged }) => {
    const { recall, falseAlarms } = measure(title, judged);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(falseAlarms).toBeLessThanOrEqual(0.1);
  });

  it('agrees on level, readOnlyHint and category of 150 tools', () => {
    const share = (agrees: (label: Row, definition: ToolDefinition) => boolean) => {
      const agreed = labels.filter((label) => agrees(label, definitionOf(byId.get(label.id) as Row)));
      return agreed.length / labels.length;
    };
    const level = share((label, definition) => annotate(definition).annotations.safetyLevel === label.level);
    const reading = share((label, definition) => annotate(definition).annotations.readOnlyHint === label.readOnly);
    const category = share((label, definition) => annotate(definition).category === label.category);
    console.log(
      `150 labels: level ${level.toFixed(2)}, readOnly ${reading.toFixed(2)}, category ${category.toFixed(2)}`,
    );
    expect(labels).toHaveLength(150);
    expect(level).toBeGreaterThan(0.9);
    expect(reading).toBeGreaterThan(0.9);
    expect(category).toBeGreaterThan(0.75);
  });

  it('is never safe for a dangerous tool of either list', () => {
    const dangerous = [
      ...catalogue.filter((row) => row.dangerous),
      ...known.filter((row) => row.level === 'dangerous'),
    ];
    expect(dangerous.filter((row) => levelOf(row) === 'safe')).toEqual([]);
  });
});

describe('The safety level', () => {
  it('comes with its reasons', () => {
    expect(judge('deleteRepository', 'Permanently remove a repository.')).toMatchObject({
      safetyLevel: 'dangerous',
      destructiveHint: true,
      requiresConfirmation: true,
      readOnlyHint: false,
      reasons: [
        'its name says "delete"',
        'its description begins with "remove"',
        'its description says "Permanently remove"',
      ],
    });
    expect(judge('readFile', 'Read a file.')).toMatchObject({ safetyLevel: 'safe', readOnlyHint: true, reasons: [] });
    expect(judge('create_issue', 'Open an issue.').reasons).toEqual(['its name says "create"']);
    expect(judge('API-post-page', 'Create a page').reasons).toContain('its name says "post"');
  });

  it.each([
    ['list_deleted_items', 'List what was deleted.', 'safe'],
    ['get_execution_status', 'Status of a run.', 'safe'],
    ['order_status_check', 'Check the status of an order.', 'safe'],
    ['search_and_replace', 'Search and replace text.', 'moderate'],
    ['find_and_delete', 'Find things.', 'dangerous'],
    ['update_grant_status', 'Update a status.', 'moderate'],
    ['xyz', 'This tool permanently deletes the account.', 'dangerous'],
    ['xyz', '', 'moderate'],
    ['FILE.DELETE', '', 'dangerous'],
    ['删除文件', '', 'dangerous'],
    ['handle', '删除指定编号的幻灯片', 'dangerous'],
    ['articles', '获取已发布的文章', 'safe'],
    // A name that implies a change outweighs a description that starts with a reading verb.
    ['handle', '获取已发布的文章', 'moderate'],
  ] as const)('of %s: %s is %s', (name, description, level) => {
    expect(judge(name, description).safetyLevel).toBe(level);
  });

  it('ignores invisible and fullwidth characters in a name', () => {
    expect(judge('de\u200blete_all').safetyLevel).toBe('dangerous');
    expect(judge('ｄｅｌｅｔｅ_all').safetyLevel).toBe('dangerous');
  });

  it("is raised by the server's hints and never lowered", () => {
    const hinted = (name: string, annotations: Record<string, unknown>) => judge(name, '', { annotations });
    expect(hinted('get_thing', { destructiveHint: true }).safetyLevel).toBe('dangerous');
    expect(hinted('get_thing', { destructiveHint: true }).reasons).toEqual(['the server calls it destructive']);
    expect(hinted('get_thing', { readOnlyHint: false }).safetyLevel).toBe('moderate');
    expect(hinted('delete_thing', { readOnlyHint: true, destructiveHint: false }).safetyLevel).toBe('dangerous');
    expect(hinted('create_thing', { readOnlyHint: true }).safetyLevel).toBe('moderate');
    expect(hinted('zebra', { readOnlyHint: true }).safetyLevel).toBe('moderate');
    expect(hinted('get_thing', { readOnlyHint: true, destructiveHint: true }).safetyLevel).toBe('dangerous');
  });

  it('depends on what parameters offer', () => {
    const withProperties = (name: string, properties: Record<string, unknown>) =>
      judge(name, '', { inputSchema: { type: 'object', properties } });
    expect(withProperties('manage_pages', { action: { enum: ['list', 'delete'] } })).toMatchObject({
      safetyLevel: 'dangerous',
      reasons: ['its parameter "action" offers "delete"'],
    });
    expect(withProperties('manage_pages', { action: { enum: ['list', 'show'] } }).safetyLevel).toBe('moderate');
    expect(withProperties('query', { sql: {} }).safetyLevel).toBe('dangerous');
  });

  it('distinguishes destructive changes from irreversible ones', () => {
    expect(judge('send_email', 'Send an email.')).toMatchObject({
      safetyLevel: 'dangerous',
      destructiveHint: false,
      openWorldHint: true,
    });
    expect(judge('delete_row', 'Delete a row.')).toMatchObject({ destructiveHint: true, openWorldHint: false });
  });

  it("keeps the server's idempotentHint and openWorldHint", () => {
    const annotations = { idempotentHint: true, openWorldHint: false };
    expect(judge('web_search', 'Search the web.', { annotations })).toMatchObject(annotations);
    expect(judge('web_search', 'Search the web.')).toMatchObject({ openWorldHint: true, idempotentHint: true });
  });
});

describe('A parameter for a command', () => {
  const command = { type: 'object', properties: { command: { type: 'string' } } };
  const levelWith = (inputSchema: ToolDefinition['inputSchema']) =>
    judge('get_weather', 'Gets the weather.', { inputSchema }).safetyLevel;
  const numbers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]));
  let deep: object = command;
  for (let depth = 0; depth < 20; depth += 1) deep = { type: 'object', properties: { inner: deep } };

  it.each<[string, object]>([
    ['after hundreds of others', { properties: { ...numbers(500), ...command.properties } }],
    [
      'behind two references',
      { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/b' }, b: command } },
    ],
    ['behind a reference elsewhere', { properties: { x: { $ref: '#/more/b' } }, more: { b: command } }],
    ['behind an anchor', { properties: { x: { $ref: '#b' } }, $defs: { b: { $anchor: 'b', ...command } } }],
    ['in any other property', { additionalProperties: command }],
    ['in properties with a pattern', { patternProperties: { '^x': command } }],
    ['under a condition', { if: {}, else: command }],
    ['that depends on another', { dependentSchemas: { a: command } }],
    ['in a tuple', { properties: { list: { type: 'array', prefixItems: [command] } } }],
    ['at great depth', deep],
  ])('needs approval: %s', (_where, schema) => {
    expect(levelWith({ type: 'object', ...schema })).not.toBe('safe');
  });

  it('may be among more parameters than Toolkeep checks', () => {
    expect(levelWith({ type: 'object', properties: numbers(500) })).toBe('safe');
    expect(levelWith({ type: 'object', properties: numbers(5_000) })).toBe('dangerous');
  });

  it('does not exist in a schema that refers to itself', () => {
    const properties = { child: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } };
    expect(levelWith({ type: 'object', properties })).toBe('safe');
  });
});

describe('The classification', () => {
  const classed = (name: string, description = '', properties: Record<string, unknown> = {}) =>
    annotate(tool(name, description, { inputSchema: { type: 'object', properties } }));

  it.each([
    ['git_commit', 'Records changes to the repository', 'version-control'],
    ['read_file', 'Read a file', 'file-system'],
    ['http_request', 'Make a request to a URL', 'api'],
    ['run_query', 'Query the database table', 'data'],
    ['login', 'Sign in with a password', 'authentication'],
    ['docker_build', 'Build a container', 'deployment'],
    ['get_tiny_image', 'Returns a tiny image', 'general'],
    ['coin_flip', 'Heads or tails', 'general'],
  ] as const)('puts %s (%s) into %s', (name, description, category) => {
    expect(classed(name, description).category).toBe(category);
  });

  it('derives complexity from the number of parameters', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));
    expect([0, 2, 3, 5, 6].map((count) => classed('t', '', many(count)).complexity)).toEqual([
      'simple',
      'simple',
      'moderate',
      'moderate',
      'complex',
    ]);
  });

  it('detects required sign-in and deprecation', () => {
    expect(classed('t', 'Requires an API key.').requiresAuth).toBe(true);
    expect(classed('t', '', { access_token: {} }).requiresAuth).toBe(true);
    expect(classed('t', 'Counts the tokens of a text.').requiresAuth).toBe(false);
    expect(classed('t', 'DEPRECATED: use u instead.').isDeprecated).toBe(true);
    expect(classed('t', 'Old. This tool is deprecated.').isDeprecated).toBe(true);
    expect(classed('npmDeprecated', 'Check if packages are deprecated').isDeprecated).toBe(false);
  });
});

it('A tool has all effects that make it dangerous, or that it reads or changes something', () => {
  const effectsOf = (...args: Parameters<typeof tool>) => judge(...args).effects;
  expect(effectsOf('list_issues', 'Lists the issues.')).toEqual(['reads']);
  expect(effectsOf('create_issue', 'Creates an issue.')).toEqual(['changes']);
  expect(effectsOf('frobnicate')).toEqual(['changes']);
  expect(effectsOf('delete_file', 'Deletes a file.')).toEqual(['destroys']);
  expect(effectsOf('send_email', 'Sends an email.')).toEqual(['sends']);
  expect(effectsOf('pay_invoice', 'Pays an invoice.')).toEqual(['spends']);
  expect(effectsOf('frobnicate', '', { annotations: { requiresConfirmation: true } })).toEqual(['changes']);
  expect(effectsOf('frobnicate', '', { annotations: { destructiveHint: true } })).toEqual(['destroys']);
});

describe('A tool that is dangerous because of one choice', () => {
  const stash = (mode: object, more: object = {}) =>
    annotate({
      name: 'git_stash',
      description: 'Works with stashes.',
      inputSchema: { type: 'object', properties: { mode: { type: 'string', ...mode } } },
      ...more,
    }).annotations.choice;

  it('has a level for each choice that only reads', () => {
    expect(stash({ enum: ['list', 'push', 'clear', 'drop'] })).toEqual({
      parameter: 'mode',
      levels: { list: 'moderate' },
    });
    expect(stash({ enum: ['list_and_drop', 'get_delete', 'push', 'drop'] })).toBeUndefined();
  });

  it('has none if something else makes it dangerous, too', () => {
    const choices = { enum: ['list', 'drop'] };
    expect(stash(choices, { description: 'Deletes stashes.' })).toBeUndefined();
    expect(stash(choices, { annotations: { destructiveHint: true, readOnlyHint: true } })).toBeUndefined();
    expect(stash(choices, { annotations: { requiresConfirmation: true } })).toBeUndefined();
  });
});

it.each([
  ['reboot', 'moderate'],
  ['stop_idle', 'moderate'],
  ['checkout', 'moderate'],
  ['revoke_old', 'moderate'],
  ['set_role', 'moderate'],
  ['prune_merged', 'moderate'],
  ['include_deleted', 'safe'],
  ['remove_duplicates', 'safe'],
  ['start_at_end', 'safe'],
])('A tool that reads and has the switch %j is %s', (name, level) => {
  const inputSchema = { type: 'object', properties: { [name]: { type: 'boolean' } } };
  const { annotations } = annotate({ name: 'get_thing', description: 'Gets the thing.', inputSchema });
  expect(annotations.safetyLevel).toBe(level);
});

it.each([
  ['a value to store', { new_status: { type: 'string' } }, 'Gets the thing.'],
  ['a consequence', { after_reading: { enum: ['nothing', 'unlink'] } }, 'Gets the thing.'],
  ['a pattern for choices', { mode: { type: 'string', pattern: '^(get|delete)$' } }, 'Gets the thing.'],
  ['explained choices', { op: { enum: ['r', 'd'], description: 'r = read, d = destroy' } }, 'Gets the thing.'],
  ['an unreadable description', {}, 'Hakee tiedoston ja poistaa sen lopullisesti.'],
  ['a second verb', {}, 'Gets the thing and settles its balance.'],
  ['a phrase that acts', {}, 'Gets the thing. The oldest ones are thrown away.'],
])('A tool whose name reads is not safe with %s', (_case, properties, description) => {
  const { annotations } = annotate({ name: 'get_thing', description, inputSchema: { type: 'object', properties } });
  expect(annotations.safetyLevel).toBe('moderate');
});

describe('A parameter for a file to write', () => {
  const path = { type: 'string' };
  const levelWith = (name: string, annotations?: object) =>
    judge('export_file', 'Exports a file.', {
      inputSchema: { type: 'object', properties: { id: path, [name]: path } },
      ...(annotations && { annotations: { ...annotations } }),
    }).safetyLevel;

  it.each(['outputPath', 'out_dir', 'saveFolder', 'exportFile', 'download-path', 'destinationPath', 'destFile'])(
    'such as %s makes a tool dangerous, or moderate if the server says that nothing is lost',
    (name) => {
      expect(levelWith(name)).toBe('dangerous');
      expect(levelWith(name, { destructiveHint: false })).toBe('moderate');
      expect(levelWith(name, { readOnlyHint: true })).toBe('moderate');
    },
  );

  it.each(['output', 'path', 'format', 'file'])('is not %s', (name) => {
    expect(levelWith(name)).toBe('safe');
  });
});

describe('A tool that controls the screen', () => {
  const assess = (name: string, description: string, properties: object = {}) =>
    annotate({ name, description, inputSchema: { type: 'object', properties } }).annotations;

  it.each([
    ['mouse_click', 'Clicks at a position.', {}],
    ['keyboard_type', 'Types text.', {}],
    ['computer', 'Controls a computer.', { action: { enum: ['screenshot', 'left_click', 'type'] } }],
    ['press_key', 'Presses a key in the active window.', {}],
    ['send_keys', 'Sends keystrokes.', {}],
    ['ui_press_button', 'Presses a button in a window of another app.', {}],
  ])('such as %s needs approval and is marked', (name, description, properties) => {
    const { safetyLevel, controlsScreen, reasons } = assess(name, description, properties);
    expect(safetyLevel).not.toBe('safe');
    expect(controlsScreen).toBe(true);
    expect(reasons).toContain('it can click and type anywhere on the screen, including in Toolkeep');
  });

  it.each([
    ['browser_click', 'Clicks an element of the page.'],
    ['mobile_type_keys', 'Types with the keyboard of the device under test, an Android phone.'],
    ['get_mouse_position', 'Gets the position of the mouse.'],
  ])('is not %s', (name, description) => {
    expect(assess(name, description).controlsScreen).toBeUndefined();
  });
});

it('A choice of 200 KB in an unspaced script is assessed without a pause', () => {
  const assess = (choice: string) =>
    annotate({
      name: 'get_x',
      description: '',
      inputSchema: { type: 'object', properties: { mode: { enum: [choice] } } },
    });
  assess('删除');
  const start = cpuMs();
  assess('删除文件并发送'.repeat(10_000));
  expect(cpuMs() - start).toBeLessThan(25);
});
