/**
 * Lets an agent request the sign-off of a release. The user sees the changes, chooses the environment and signs with a passphrase.
 * The agent receives the signature, never the passphrase: Toolkeep itself asks for the passphrase and does not store it.
 *
 *     plugins: [{ path: './release-sign-off.ts', options: { environments: ['staging', 'production'] } }]
 */
import { createHmac } from 'node:crypto';
import { type CallContext, definePlugin, type ToolDefinition } from 'toolkeep/plugin';

interface Options {
  /** The environments to choose from. */
  environments?: string[];
}

const signOff: ToolDefinition = {
  name: 'sign_off',
  description: 'Asks the user to sign off a release, and returns the environment and the signature.',
  inputSchema: {
    type: 'object',
    properties: {
      version: { type: 'string' },
      changes: { type: 'string', description: 'The changes, in plain words' },
    },
    required: ['version', 'changes'],
  },
  annotations: { readOnlyHint: true },
};

export default function releaseSignOff({ environments = ['staging', 'production'] }: Options) {
  async function sign({ version, changes }: Record<string, unknown>, { ask }: CallContext): Promise<string> {
    const release = `${version}: ${changes}`;
    const choices = environments.map((name) => ({ value: name, label: name }));
    const environment = await ask.select(`Which environment may this release go to?\n${release}`, choices);
    if (environment === undefined) return 'The user did not sign it off.';
    const passphrase = await ask.secret(`Sign ${version} for ${environment} with your passphrase.`);
    if (passphrase === undefined) return 'The user did not sign it off.';
    const signature = createHmac('sha256', passphrase).update(`${environment} ${release}`).digest('hex');
    return `${environment} ${signature}`;
  }

  return definePlugin({
    name: 'release-sign-off',
    version: '1.0.0',
    provideTools: () => [signOff],
    async execute(_tool, args, context) {
      return { content: [{ type: 'text', text: await sign(args, context) }] };
    },
  });
}
