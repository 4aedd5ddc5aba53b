/**
 * Hides every tool whose role the user does not have, and lists the user's roles for agents. The roles come from the options or
 * from the environment variable TOOLKEEP_ROLES (`user,release-manager`).
 *
 *     plugins: [{ path: './role-based-access.ts', required: true, options: { needs: { deployment: 'release-manager' } } }]
 *
 * `required` and `onFailure: 'reject'` hide the tools if the plug-in itself fails.
 */
import { definePlugin, gatedTools, type Tool, type ToolDefinition } from 'toolkeep/plugin';

interface Options {
  /** The roles of the user. */
  roles?: string[];
  /** A tool's name, safety level or category → the role that it needs. All other tools need no role. */
  needs?: Record<string, string>;
}

const usualNeeds = { dangerous: 'admin', deployment: 'admin', authentication: 'admin' };

const myRoles: ToolDefinition = {
  name: 'my_roles',
  description: 'Lists the roles of the user, which decide which tools are available.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

const refusedTools: ToolDefinition = {
  name: 'refused_tools',
  description: 'Lists the hidden tools, each with the role that it needs.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

export default function roleBasedAccess({ roles = rolesFromEnvironment(), needs = usualNeeds }: Options) {
  const refused = new Map<string, string>();

  function roleFor({ name, category, annotations }: Tool): string | undefined {
    return needs[name] ?? needs[annotations.safetyLevel] ?? needs[category];
  }

  return definePlugin({
    name: 'role-based-access',
    version: '1.0.0',
    onFailure: 'reject',
    transformTool(tool) {
      const role = roleFor(tool);
      if (role === undefined || roles.includes(role)) {
        refused.delete(tool.key);
        return tool;
      }
      refused.set(tool.key, role);
      return null;
    },
    // Only an administrator sees which tools are hidden.
    provideTools: gatedTools(
      () => [myRoles, refusedTools],
      (tool) => tool !== refusedTools || roles.includes('admin'),
    ),
    execute(tool) {
      const lines = tool === 'my_roles' ? roles : Array.from(refused, ([key, role]) => `${key} needs ${role}`);
      return { content: [{ type: 'text', text: lines.length > 0 ? lines.join('\n') : 'none' }] };
    },
  });
}

function rolesFromEnvironment(): string[] {
  return (process.env.TOOLKEEP_ROLES ?? 'user').split(',').map((role) => role.trim());
}
