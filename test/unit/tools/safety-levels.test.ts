/** The safety levels of single tools: what counts as evidence, and attempts to seem harmless. */
import { describe, expect, it } from 'vitest';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { hintHabits } from '../../../electron/core/tools/assessment/hints.ts';
import type { ToolDefinition } from '../../../shared/model/tool.ts';

const tool = (name: string, description = '', properties: Record<string, unknown> = {}): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

describe('A tool that seems harmless', () => {
  it.each([
    ['a name of mixed alphabets', tool('delеte_all', 'Tidies up.')],
    ['a second sentence that deletes', tool('get_status', 'Returns the status. Afterwards deletes the database.')],
    ['a verb after "then"', tool('list_then_delete_users')],
    ['a joined name', tool('deletefile')],
    ['uppercase without separators', tool('DELETEALL')],
    ['a free-form command', tool('ssh', '', { host: { type: 'string' }, command: { type: 'string' } })],
    ['free-form code', tool('python', '', { code: { type: 'string' } })],
    ['free-form SQL under a reading name', tool('query', 'Runs a SQL query.', { query: { type: 'string' } })],
    ['an HTTP method', tool('fetch', 'Fetches.', { url: {}, method: { enum: ['GET', 'DELETE'] } })],
    ['a recipient and a text', tool('mail', 'Mail.', { to: { type: 'string' }, text: { type: 'string' } })],
    ['a choice of actions', tool('manage', '', { action: { enum: ['get', 'delete_all'] } })],
    ['choices in camel case', tool('get_items', 'Gets items.', { action: { enum: ['listItems', 'deleteItem'] } })],
    [
      'a list of choices in camel case',
      tool('get_items', '', { action: { description: 'The action: listItems, getItem or deleteItem.' } }),
    ],
    ['choices as constants', tool('manage', '', { op: { oneOf: [{ const: 'get' }, { const: 'delete' }] } })],
    [
      'a choice that deletes behind more choices than are checked',
      tool('get_items', 'Gets items.', {
        kind: { enum: Array.from({ length: 4000 }, (_, index) => `kind${index}`) },
        action: { enum: ['get', 'delete_item'] },
      }),
    ],
    [
      'a choice in camel case that deletes behind more choices than are checked',
      tool('get_items', 'Gets items.', {
        action: { enum: [...Array.from({ length: 1000 }, (_, index) => `get_${index}`), 'deleteItem'] },
      }),
    ],
    ['a nested choice', tool('manage', '', { p: { type: 'object', properties: { action: { enum: ['delete'] } } } })],
    [
      'a mode that overwrites',
      tool('get_items', 'Gets items.', { updateMode: { enum: ['append', 'overwrite', 'clearAll'] } }),
    ],
    [
      'another tool among its parameters',
      tool('page_call_tool', 'Call a tool of the page.', { name: { type: 'string' }, arguments: { type: 'object' } }),
    ],
    ['a key that signs', tool('set_agent_address', 'Sets the address.', { walletPrivateKey: { type: 'string' } })],
    ['a title that says otherwise', { ...tool('get_users'), title: 'Delete users' }],
    [
      'a command router',
      tool('compute', 'Commands for managing virtual machines.', {
        command: { type: 'string' },
        parameters: { type: 'object' },
      }),
    ],
  ])('with %s is dangerous', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('dangerous');
  });

  it.each([
    ['a division of what exists', tool('split_tasks', 'Break down tasks into smaller tasks.')],
    ['an unknown name', tool('frobnicate', 'Does it.')],
    ['no words at all', tool('x')],
    ['a language that is not known', tool('qwerty_asdf', 'Lorem ipsum dolor sit amet.')],
  ])("with %s is moderate, whatever the server's hints", (_case, definition) => {
    const hinted = { ...definition, annotations: { readOnlyHint: true } };
    expect(annotate(hinted).annotations.safetyLevel).toBe('moderate');
  });
});

describe('A tool whose name and first sentence suggest only reading', () => {
  const text = (description = '') => ({ type: 'string', description });
  const doubtful: [string, ToolDefinition][] = [
    ['SQL in a filter', tool('list_rows', 'Lists rows.', { filter: text('SQL WHERE clause, inserted verbatim.') })],
    ['an expression that is evaluated', tool('read_data', 'Reads.', { expression: text('Python that is evaluated') })],
    ['a command', tool('cat', 'Prints a file.', { cmd: text() })],
    ['a command in French', tool('lister', 'Liste les fichiers.', { commande: text('La commande à exécuter') })],
    ['a command in Chinese', tool('获取信息', '获取信息。', { 命令: text() })],
    ['a command in Russian', tool('получить', 'Получает данные.', { команда: text() })],
    ['a command in Arabic', tool('get_list', 'Gets.', { أمر: text() })],
    ['a nested command', tool('get_lines', 'Gets.', { options: { type: 'object', properties: { shell: text() } } })],
    ['an HTTP verb', tool('fetch', 'Fetches a URL.', { url: text(), verb: text('HTTP verb') })],
    ['a GraphQL document', tool('query', 'Run GraphQL.', { query: text('GraphQL document, may be a mutation') })],
    ['a pipeline', tool('find', 'Find documents.', { pipeline: { type: 'array' } })],
    ['a switch that deletes', tool('list_files', 'Lists files.', { purge_after: { type: 'boolean' } })],
    ['a choice that deletes', tool('read_sheet', 'Reads.', { on_finish: { enum: ['keep', 'delete_sheet'] } })],
    [
      'a choice in camel case that deletes',
      tool('read_sheet', 'Reads.', { onFinish: { enum: ['keep', 'deleteAll'] } }),
    ],
    ['a webhook', tool('search_web', 'Searches.', { webhook_url: text() })],
    ['a later sentence in the passive', tool('get_file', 'Gets a file. The original is then removed from the server.')],
    ['a second verb', tool('fetch_report', 'Fetches the report and mails it to everyone.')],
    ['a side effect', tool('view_account', 'Shows the account. Side effect: closes it.')],
    ['a second verb in Danish', tool('get_data', 'Henter data og sletter dem.')],
    ['a second verb in Indonesian', tool('get_data', 'Mendapatkan data lalu menghapusnya.')],
    ['a second sentence in Hindi', tool('get_data', 'Gets data. डेटा हटाता है।')],
    ['passwords in its answer', tool('check_password', 'Returns all stored passwords in plain text.')],
  ];
  it.each(doubtful)('is not safe if it has %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).not.toBe('safe');
  });

  it.each([
    ['a switch that formats', tool('get_page', 'Gets a page.', { removeScripts: { type: 'boolean' } })],
    ['a switch that selects', tool('list_files', 'Lists files.', { include_deleted: { type: 'boolean' } })],
    ['states to filter by', tool('list_events', 'Lists events.', { state: { enum: ['opened', 'deleted'] } })],
    ['events in camel case', tool('list_events', 'Lists events.', { type: { enum: ['labelAdded', 'labelRemoved'] } })],
    ['fields to sort by', tool('list_files', 'Lists files.', { sort: { enum: ['createdAt', 'deletedAt'] } })],
    ['a relative clause', tool('list_files', 'Lists files. Shows files that are deleted, too.')],
    ['how long things are kept', tool('list_files', 'Lists files. Files are removed after 30 days.')],
    ['the names of keys', tool('list_api_keys', 'Lists the names of API keys.')],
  ])('is safe if it has %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('safe');
  });

  it('is assessed by the definitions that its schema refers to, too', () => {
    const withDefs = (properties: object, $defs: object) => ({
      name: 'show',
      description: 'Shows it.',
      inputSchema: { type: 'object', properties, $defs },
    });
    const action = { enum: ['get', 'delete'] };
    const routed = withDefs({ action: { $ref: '#/$defs/Action' } }, { Action: action });
    const optional = withDefs(
      { action: { anyOf: [{ $ref: '#/$defs/Action' }, { type: 'null' }] } },
      { Action: action },
    );
    const below = withDefs({ a: { $ref: '#/$defs/A' } }, { A: { type: 'object', properties: { op: action } } });
    for (const definition of [routed, optional, below])
      expect(annotate(definition).annotations.safetyLevel).toBe('dangerous');
    const endless = withDefs({ a: { $ref: '#/$defs/A' } }, { A: { properties: { a: { $ref: '#/$defs/A' } } } });
    expect(annotate(endless).annotations.safetyLevel).toBe('safe');
  });

  it('is dangerous if it changes who has access, but not if it only cancels a schedule', () => {
    const level = (definition: ToolDefinition) => annotate(definition).annotations.safetyLevel;
    expect(level(tool('update_dataset', "Modifies a dataset's name or access control settings."))).toBe('dangerous');
    expect(level(tool('update_note', 'Updates a note. Needs write permissions.'))).toBe('moderate');
    expect(level(tool('unschedule_release', 'Remove a previously set schedule from a release.'))).toBe('moderate');
  });

  it('is dangerous if its name suggests that it returns a key', () => {
    for (const name of ['get_access_token', 'export_private_key', 'aws_get_api_key'])
      expect(annotate(tool(name)).annotations.safetyLevel).toBe('dangerous');
  });
});

describe('A tool that acts although its name suggests reading', () => {
  it.each([
    ['formats cells', tool('formatSheetCells', 'Format cells of a sheet.')],
    ['subscribes', tool('watch_card', 'Subscribe to a card.')],
    ['converts into a new document', tool('convertPdf', 'Creates a document from a PDF.')],
    ['undoes', tool('undo_last', 'Roll back the last change.')],
    ['reorders a list', tool('xyz', 'Сортирует список.')],
    ['reorders a list with the verb at the end', tool('xyz', '목록을 다시 정렬합니다.')],
  ])('is not safe: %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('moderate');
  });
});

describe('The safety level of an action that others notice or that costs money', () => {
  const choice = (...options: string[]) => ({ type: 'string', enum: options });
  const flag = { type: 'boolean' };
  const text = (description: string) => ({ type: 'string', description });
  it.each([
    ['an approval of access', tool('device_approve', 'Approve a pending device authorization request')],
    ['a confirmed member', tool('confirm', 'Confirm an invited member')],
    ['changed members', tool('update_team_members', "Update a team's members")],
    ['a shared item', tool('create_text', 'Create a text for securely sharing')],
    ['all of a list of verbs', tool('control', 'Start/stop/restart a database or a service', { id: {} })],
    ['everything', tool('stop_apps', 'Stop all running apps')],
    ['a new machine among the choices', tool('cloud', '', { action: choice('list_images', 'create_server') })],
    ['a new cluster', tool('create-cluster', 'Create a cluster.')],
    ['a switch of a change that empties a table', tool('import_rows', 'Import rows.', { truncateFirst: flag })],
    ['what a list leaves out', tool('set_hooks', 'Sets hooks. Existing hooks not included in the list are removed.')],
    ['a password among the kinds of answers', tool('get', 'Get a value', { object: choice('username', 'password') })],
    ['an API key', tool('generate_api_key', 'Generate a key')],
    ['a moderator', tool('forum_moderator_add', 'Add a moderator')],
    ['a debugger', tool('start_debugging', 'Start debugging a script')],
    ['a new user', tool('create-users', 'Create one or more users.')],
    ['a payment', tool('receive_payment', 'Record a payment')],
    ['an import over data', tool('db_import', 'Imports a dump into a database and is destructive to existing data.')],
    ['an approval in Japanese', tool('accept_request', '依頼を承認します。')],
    ['a second verb', tool('compose_email', 'Compose and send a new email')],
    [
      'actions that a parameter describes',
      tool('network', 'Manage networks', { action: text('create, ls or remove') }),
    ],
    ['values and a condition', tool('update_record', 'Update.', { data: {}, filter: {} })],
    ['a new password', tool('update_user', 'Update a user.', { password: text('') })],
    ['a batch with deletions', tool('orders_update', 'Update orders', { update: {}, delete: { type: 'array' } })],
    ['a task for an agent', tool('helper', 'Uses an autonomous browser agent.', { task: text('') })],
    ['what it overwrites', tool('create_action', 'Create. If it already exists it will be overwritten.')],
    ['what may be lost', tool('cancel_run', 'Cancel a run. Partial results may be lost.')],
    ['a firewall', tool('firewall_add_tags', 'Adds tags to a firewall')],
    ['a DNS record', tool('record_create', 'Create a new domain record')],
    ['a delegate', tool('add_delegate', 'Adds a delegate to the account')],
    ['a declined pull request', tool('declinePullRequest', 'Decline a pull request')],
    ['code that is only tested', tool('test_middleware', 'Test it.', { code: text('') })],
  ])('is dangerous for %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('dangerous');
  });

  it.each([
    ['typing', tool('send_keys', 'Sends keys to an element. Clears the field first.')],
    ['answering a dialog', tool('alert', 'Handles a dialog', { action: choice('accept', 'send_text') })],
    ['the session of the tool itself', tool('clear_dir', 'Clear the session working directory setting.')],
    ['moving issues', tool('transfer_sprint_issues', 'Transfer issues from one sprint to another')],
    ['editing a set', tool('set_groups', 'Set, add or remove groups', { mode: choice('set', 'add', 'remove') })],
    ['a component', tool('create_component_instance', 'Create an instance of a component')],
    ['code that a reading name hides', tool('generate_build', 'Generate a build via JS code.', { code: {} })],
    ['a card on a dashboard', tool('remove_card_from_dashboard', 'Remove a card from a dashboard')],
    ['a cache', tool('discard_values', 'Discard cached values')],
    ['a noun before its verb', tool('test_run_complete', 'Mark a test run as complete.')],
    ['taking out of the trash', tool('untrash_message', 'Remove a message from the trash')],
    ['adding to a set', tool('set_labels', 'Add or remove labels.')],
    ['a merge of fields', tool('data_update', 'Updates.', { mode: choice('merge', 'replace') })],
    ['a snapshot of a share', tool('nfs_snapshot', 'Create a snapshot of a file share')],
    ['a noun before a verb', tool('model_eval_create_set', 'Create a data set.')],
    ['the code of a project', tool('complete_case', 'Marks it.', { code: { type: 'string', maxLength: 10 } })],
  ])('is moderate for %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('moderate');
  });

  it.each([
    ['a filter for HTTP methods', tool('list_requests', 'List requests.', { method: text('Filter by HTTP method') })],
    ['a picture of a page', tool('take_snapshot', 'Capture DOM snapshot.')],
    ['a route in Chinese', tool('maps_bicycling', '骑行路径规划用于规划骑行通勤方案')],
    ['orders of deployment in Chinese', tool('list_orders', '根据来源查询部署单')],
    ['choices that all read', tool('teams', 'Manage teams', { action: choice('list', 'get', 'get_members') })],
    ['a noun', tool('get_template', 'Get a template. Updates and deletes remain restricted to owners.')],
    ['several at once', tool('bulk_fetch', 'Fetch pages')],
    ['a noun that is also a verb', tool('dm_requests', 'List pending DM requests')],
    ['a history', tool('undo_history', 'List the undo stack')],
    ['the trash', tool('get_trash')],
    ['a list of the trash', tool('gmail_list_trash', 'Lists the messages in the trash.')],
    ['a tweet', tool('get_tweet', 'Gets a tweet by tweet ID.')],
    ['an invite', tool('get_team_invite', 'Gets a team invite.')],
    ['a broadcast', tool('get_broadcast')],
    ['a state', tool('is_empty', 'Whether the queue is empty.')],
    ['a check of a state', tool('check_empty', 'Checks whether the database is empty.')],
    ['a check of an install', tool('check_install', 'Checks that a package is installed.')],
    ['a cleanup', tool('get_cleanup', 'Get the status of a cleanup')],
    ['a rollback', tool('get_rollback')],
    ['a view of a drop', tool('view_drop', 'View a drop.')],
    ['records of payments in Chinese', tool('list_payments', '查询支付记录')],
    ['a history of releases in Chinese', tool('list_releases', '查询发布历史。')],
    ['a list of refunds in Chinese', tool('list_refunds', '获取退款记录列表')],
    ['a log of deletions in Chinese', tool('view_log', '查看删除日志')],
    ['a log of deletions with a Chinese name', tool('查看删除日志', '查看删除日志')],
    ['a label in front', tool('dom_snapshot', '[Beta] Get a snapshot. **Note:** slow.')],
    ['what does not happen', tool('list_backups', 'Lists backups. Deletes nothing.')],
    ['a link for an invitation in Japanese', tool('get_room_link', 'チャットへの招待リンクを取得します。')],
  ])('is safe for %s', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('safe');
  });
});

describe('The first word of a name', () => {
  const level = (names: string[], name: string, description: string, properties: Record<string, unknown> = {}) => {
    const definitions = names.map((one) => tool(one));
    return annotate(tool(name, description, properties), hintHabits(definitions)).annotations.safetyLevel;
  };
  const names = ['ssh_list', 'ssh_tail', 'ssh_run', 'ssh_close'];

  it('is no evidence if all tools of the server have it', () => {
    expect(level(names, 'ssh_tail', 'Reads the end of a file.')).toBe('safe');
    expect(level(names, 'ssh_run', 'Runs a command.', { command: { type: 'string' } })).toBe('dangerous');
    expect(level(['ssh_list', 'read', 'write', 'edit'], 'ssh_list', 'Reads.')).toBe('dangerous');
  });

  it('does not require every definition to have a name', () => {
    const unnamed = [{ inputSchema: {} }, { name: 7, inputSchema: {} }] as unknown as ToolDefinition[];
    expect(hintHabits([...unnamed, ...names.map((name) => tool(name))]).namespace).toBe('ssh');
    expect(hintHabits(unnamed).namespace).toBeUndefined();
  });

  it('is no evidence if it is a verb that is followed by verbs', () => {
    const protecting = ['protect_list_cameras', 'protect_get_info', 'protect_update_light', 'protect_users'];
    expect(level(protecting, 'protect_list_cameras', 'List all cameras.')).toBe('safe');
  });

  it('counts if it is a verb, even if all tools have it', () => {
    const deleting = ['delete_a', 'delete_b', 'delete_list', 'delete_d'];
    expect(level(deleting, 'delete_list', 'Reads the list.')).toBe('dangerous');
  });
});

describe('A change that another call can undo', () => {
  const choice = (...options: string[]) => ({ type: 'string', enum: options });
  it.each([
    ['taking something out of a group', tool('remove_contact_from_segment', 'Remove a contact from a segment.')],
    ['detaching', tool('detach_script', 'Removes a script from a node.')],
    ['archiving', tool('archive_card', 'Send a card to the archive.')],
    [
      'a JSON Patch',
      tool('update_item', '', { patch: { items: { properties: { op: choice('add', 'replace', 'remove') } } } }),
    ],
    ['starting a job until it ends', tool('crawl', 'Starts a crawl and polls until a terminal state.')],
  ])('such as %s is not dangerous', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).not.toBe('dangerous');
  });
  it.each([
    ['a state to filter by', tool('list_todos', 'List them.', { action: choice('merge_train_removed', 'assigned') })],
    ['a kind of secret', tool('get_secret_types', 'List the kinds of secrets.')],
  ])('does not include %s, which is safe', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('safe');
  });
  it.each([
    ['a member out of a team', tool('remove_member_from_team', 'Remove a member from a team.')],
    ['an element permanently', tool('delete_slide_element', 'Delete an element.')],
    ['a choice to remove all', tool('manage', '', { action: choice('get', 'remove') })],
    ['the whole content', tool('update_doc', 'Update a document (replaces all content).')],
  ])('does not include removing %s, which is dangerous', (_case, definition) => {
    expect(annotate(definition).annotations.safetyLevel).toBe('dangerous');
  });
});

describe('A destructiveHint on a single tool', () => {
  const hinted = (name: string) => annotate({ ...tool(name), annotations: { destructiveHint: true } }).annotations;
  it.each([
    'update_issue',
    'updateContactField',
    'clear_website_cache',
    'remove_label',
    'stop_session',
    'monitor_update',
  ])('on %s, which edits a record, raises the level only to moderate', (name) => {
    expect(hinted(name).safetyLevel).toBe('moderate');
  });
  it.each([
    'update_team_settings',
    'set_nameservers',
    'update_user_role',
    'stop_virtual_machine',
    'edit_block',
    'frob_issue',
  ])('on %s raises the level to dangerous', (name) => {
    expect(hinted(name).safetyLevel).toBe('dangerous');
  });

  const acting = ['add_row', 'set_cell', 'click', 'navigate'].map((name) => ({
    ...tool(name),
    annotations: { destructiveHint: true },
  }));
  it('on every tool that is not read-only raises the level only to moderate', () => {
    const habits = hintHabits([...acting, { ...tool('read_cell'), annotations: { readOnlyHint: true } }]);
    for (const definition of acting) expect(annotate(definition, habits).annotations.safetyLevel).toBe('moderate');
    const deleting = { ...tool('delete_row'), annotations: { destructiveHint: true } };
    expect(annotate(deleting, habits).annotations.safetyLevel).toBe('dangerous');
  });
  it('on one of many tools raises the level to dangerous', () => {
    const habits = hintHabits([
      ...acting.slice(1).map(({ annotations: _, ...rest }) => rest),
      acting[0] as ToolDefinition,
    ]);
    expect(annotate(acting[0] as ToolDefinition, habits).annotations.safetyLevel).toBe('dangerous');
  });
});
