/**
 * Lets an agent have a release signed off: it says what is to go out, the person sees that, chooses where, and signs with a
 * passphrase. The agent gets the signature and never the passphrase, which is asked in Gatehouse itself and kept nowhere.
 *
 *     plugins: [{ path: './release-sign-off.ts', options: { environments: ['staging', 'production'] } }]
 */
import { createHmac } from 'node:crypto';
import { type CallContext, definePlugin, type ToolDefinition } from 'gatehouse/plugin';

interface Options {
  /** Where releases go. */
  environments?: string[];
}

const signOff: ToolDefinition = {
  name: 'sign_off',
  description: 'Asks the person to sign off a release, and returns the environment and the signature.',
  inputSchema: {
    type: 'object',
    properties: {
      version: { type: 'string' },
      changes: { type: 'string', description: 'What is in it, in plain words' },
    },
    required: ['version', 'changes'],
  },
  annotations: { readOnlyHint: true },
};

export default function releaseSignOff({ environments = ['staging', 'production'] }: Options) {
  async function sign({ version, changes }: Record<string, unknown>, { ask }: CallContext): Promise<string> {
    const release = `${version}: ${changes}`;
    const choices = environments.map((name) => ({ value: name, label: name }));
    const environment = await ask.select(`Where may this go?\n${release}`, choices);
    if (environment === undefined) return 'The person did not sign it off.';
    const passphrase = await ask.secret(`Sign ${version} for ${environment} with your passphrase.`);
    if (passphrase === undefined) return 'The person did not sign it off.';
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
