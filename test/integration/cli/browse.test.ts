/**
 * Output and exit codes of `list`, `search`, `tools` and `inspect`.
 *
 * @module-tag exhaustive
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';
import { newShop } from './shop-server.ts';

const shop = newShop();
beforeAll(() => shop.serve());
afterAll(() => shop.dispose());

describe('toolkeep list', () => {
  it('shows all servers with their status, tool count and failure', async () => {
    await expect.poll(async () => (await runCli(shop, 'list')).stdout).toContain('Status: Disconnected');
    const { code, stdout, stderr } = await runCli(shop, 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "MCP Servers (2 configured):

      ✓ github (4 tools)
        GitHub API integration
        Status: Connected

      ✗ database (0 tools)
        Database queries
        Status: Disconnected
        Cause: "database" exited with code 3. It printed nothing to stderr. [SERVER_CRASHED]
      "
    `);
  });

  it('shows only the status with --status and only the tool count with --tools', async () => {
    const status = (await runCli(shop, 'list', '--status')).stdout;
    expect(status).toContain('Status: Connected');
    expect(status).not.toContain('4 tools');
    const tools = (await runCli(shop, 'list', '--tools')).stdout;
    expect(tools).toContain('✓ github (4 tools)');
    expect(tools).not.toContain('Status:');
  });

  it('prints only JSON with --json', async () => {
    const { code, stdout, stderr } = await runCli(shop, 'list', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).servers).toMatchObject([
      { name: 'github', description: 'GitHub API integration', toolCount: 4, status: 'connected' },
      { name: 'database', toolCount: 0, status: 'disconnected', failure: { code: 'SERVER_CRASHED' } },
    ]);
  });
});

describe('toolkeep search', () => {
  it('shows the best result first, with relevance, summary and tags', async () => {
    const { code, stdout } = await runCli(shop, 'search', 'create github issue');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Search results for "create github issue" \(\d found\):\n\n1\. github:create_issue \(\d+% match\)\n/,
    );
    expect(stdout).toContain('   Create a new GitHub issue in a repository.\n   Tags: github, issues');
    expect(stdout).not.toContain('delete_repo');
  });

  it('accepts a server and a limit, and prints JSON', async () => {
    const { code, stdout } = await runCli(shop, 'search', 'issue', '--server', 'github', '--limit', '1', '--json');
    expect(code).toBe(0);
    const { results } = JSON.parse(stdout);
    expect(results).toMatchObject([{ server: 'github', tags: ['github', 'issues'] }]);
    expect(results[0].relevance).toBeGreaterThan(0);
    expect(results[0].relevance).toBeLessThanOrEqual(1);
  });

  it('exits with 2 if nothing is found and with 1 for invalid arguments', async () => {
    expect((await runCli(shop, 'search', 'zzzzqq')).code).toBe(2);
    expect(JSON.parse((await runCli(shop, 'search', 'zzzzqq', '--json')).stdout)).toEqual({
      query: 'zzzzqq',
      results: [],
    });
    expect((await runCli(shop, 'search')).code).toBe(1);
    expect((await runCli(shop, 'search', 'issue', '--limit', 'many')).code).toBe(1);
  });
});

describe('toolkeep tools', () => {
  it('lists enabled tools, disabled ones with --all, and tags with --tags', async () => {
    expect((await runCli(shop, 'tools', 'github')).stdout).not.toContain('delete_repo');
    const { code, stdout } = await runCli(shop, 'tools', 'github', '--all', '--tags');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Tools from github (2 enabled, 2 disabled):

      ✓ create_issue
        Create a new GitHub issue in a repository.
        Tags: github, issues

      ✗ delete_repo (disabled)
        Delete a GitHub repository
        Tags: dangerous

      ✗ list_repos (disabled)
        List GitHub repositories

      ✓ update_issue
        Update an existing GitHub issue
        Tags: github, issues
      "
    `);
  });

  it('prints enabled tools as JSON, and all tools with --all', async () => {
    const enabled = JSON.parse((await runCli(shop, 'tools', 'github', '--json')).stdout);
    expect(enabled.server).toBe('github');
    expect(enabled.tools.map(({ name }: { name: string }) => name)).toEqual(['create_issue', 'update_issue']);
    const { tools } = JSON.parse((await runCli(shop, 'tools', 'github', '--all', '--json')).stdout);
    expect(tools).toContainEqual({
      name: 'delete_repo',
      summary: 'Delete a GitHub repository',
      enabled: false,
      tags: ['dangerous'],
      safetyLevel: 'dangerous',
      hints: ['destructive', 'requiresConfirmation'],
      reasons: ['its name says "delete"', 'its description begins with "delete"'],
      findings: [],
    });
  });

  it('limits the tools that it lists, not those that it counts', async () => {
    const { stdout } = await runCli(shop, 'tools', 'github', '--sort', 'name', '--desc', '--limit', '1');
    expect(stdout).toMatch(/^Tools from github \(2 enabled, 2 disabled\):\n\n✓ update_issue\n.*\n$/);
    const { tools } = JSON.parse((await runCli(shop, 'tools', '--limit', '2', '--json')).stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['create_issue', 'update_issue']);
  });

  it('shows the calls of each tool if it sorts by them', async () => {
    await runCli(shop, 'execute', 'github', 'create_issue', '--args', '{"repo":"a/b","title":"t"}');
    await runCli(shop, 'execute', 'github', 'delete_repo', '--args', '{"repo":"a/b"}');
    const args = ['tools', 'github', '--all', '--sort', 'callCount', '--desc'];
    const { stdout } = await runCli(shop, ...args);
    expect(stdout).toMatch(
      /✓ create_issue\n.*\n {2}Calls: 1, 0 failed, \d+ ms on average\n\n✗ delete_repo.*\n.*\n {2}Calls: 0\n/,
    );
    const { tools } = JSON.parse((await runCli(shop, ...args, '--json')).stdout);
    expect(tools[0]).toMatchObject({ name: 'create_issue', calls: { total: 1, failed: 0 } });
  });

  it('exits with 2 and suggests a similar name for an unknown server', async () => {
    const { code, stdout, stderr } = await runCli(shop, 'tools', 'gihub');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Did you mean "github"?');
    expect((await runCli(shop, 'tools', 'github', 'gihub')).code).toBe(2);
    const json = await runCli(shop, 'tools', 'gihub', '--json');
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ success: false, error: { code: 'SERVER_NOT_FOUND' } });
  });
});

describe('toolkeep inspect', () => {
  it('shows description, parameters and examples', async () => {
    const { code, stdout } = await runCli(shop, 'inspect', 'github', 'create_issue', '--examples');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Tool: github:create_issue

      Description:
        Create a new GitHub issue in a repository. Returns its number.

      Parameters:
        repo (string, required)
          Repository name (owner/repo)

        title (string, required)
          Issue title

        body (string, optional)
          Issue body (markdown)

      Tags: github, issues

      Version: server 1.0.0

      Requires approval once for each client: its name says "create"

      Examples:
        Required arguments only:
          repo: "owner/repo"
          title: "Crash on startup"

        All arguments:
          repo: "owner/repo"
          title: "Crash on startup"
          body: "The app crashes when it starts."
      "
    `);
  });

  it('says that a dangerous tool requires approval, and why', async () => {
    const { stdout } = await runCli(shop, 'inspect', 'github', 'delete_repo');
    expect(stdout).toMatch(/^Requires approval: \S/m);
    const once = (await runCli(shop, 'inspect', 'github', 'create_issue')).stdout;
    expect(once).toContain('Requires approval once for each client');
  });

  it('prints JSON with parameters and examples', async () => {
    const shown = JSON.parse((await runCli(shop, 'inspect', 'github', 'create_issue', '--json')).stdout);
    expect(shown).toMatchObject({ server: 'github', tool: 'create_issue', enabled: true });
    expect(shown.parameters[0]).toEqual({
      name: 'repo',
      type: 'string',
      description: 'Repository name (owner/repo)',
      required: true,
    });
    expect(shown.examples.length).toBeGreaterThan(0);
  });

  it('exits with 2 and a similar name for an unknown tool, and with 1 for a missing argument', async () => {
    const { code, stderr } = await runCli(shop, 'inspect', 'github', 'create_isue');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "create_issue"');
    expect((await runCli(shop, 'inspect', 'github')).code).toBe(1);
  });
});

describe('toolkeep tools with filters', () => {
  const names = async (...args: string[]) => {
    const { code, stdout } = await runCli(shop, 'tools', ...args, '--json');
    return { code, names: JSON.parse(stdout).tools.map(({ name }: { name: string }) => name) };
  };

  it('filters by hints, category, name and tag, and lists the tools of all servers without a name', async () => {
    expect(await names('--all', '--read-only', 'yes')).toEqual({ code: 0, names: ['list_repos'] });
    expect(await names('github', '--all', '--destructive', 'yes')).toEqual({ code: 0, names: ['delete_repo'] });
    expect(await names('--safety', 'moderate', '--name', 'update')).toEqual({ code: 0, names: ['update_issue'] });
    expect(await names('--category', 'file-system')).toEqual({ code: 0, names: [] });
    expect(await names('--tag', 'issues', '--sort', 'callCount', '--desc', '--limit', '1')).toMatchObject({ code: 0 });
    const { stdout } = await runCli(shop, 'tools', '--available');
    expect((await runCli(shop, 'tools', 'github', 'database', '--available')).stdout).toMatch(
      /^Tools of github, database \(2\):/,
    );
    expect(stdout).toMatch(/^Tools of all servers \(2\):\n\n✓ github:create_issue\n/);
  });

  it('exits with 1 for a value that does not exist', async () => {
    for (const wrong of [
      ['--read-only', 'maybe'],
      ['--category', 'games'],
      ['--sort', 'luck'],
    ])
      expect((await runCli(shop, 'tools', ...wrong)).code).toBe(1);
  });
});

it('A command of a running Core does not wait until a hanging server fails', async () => {
  const hanging = newShop({ servers: { hung: commands.misbehaving('hang-at-initialize'), good: commands.github() } });
  try {
    await hanging.serve();
    const { stdout } = await hanging.cli('list');
    expect(stdout).toContain('Status: Connecting');
    expect(stdout).toContain('✓ good (4 tools)');
  } finally {
    await hanging.dispose();
  }
});
