/** How Gatehouse connects to a server: a command line, a URL, or a snippet from the server's documentation. */
import { Select, TextInput } from '../../components/controls.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import type { Problems, ServerInput } from './server-input.ts';

interface ConnectionFieldsProps {
  input: ServerInput;
  problems: Problems;
  onChange(part: Partial<ServerInput>): void;
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  switch (props.input.kind) {
    case 'command':
      return <CommandFields {...props} />;
    case 'url':
      return <UrlFields {...props} />;
    case 'paste':
      return <PasteField {...props} />;
  }
}

function CommandFields({ input, problems, onChange }: ConnectionFieldsProps) {
  return (
    <>
      <TextInput
        mono
        label="Command line"
        value={input.command}
        placeholder="npx -y @modelcontextprotocol/server-filesystem ~/Documents"
        hint="As you would type it in a terminal. ${HOME} and ~ are expanded when the server starts."
        problem={problems.command}
        onChange={(command) => onChange({ command })}
      />
      <TextInput
        mono
        rows={3}
        optional
        label="Environment variables"
        value={input.variables}
        placeholder={'GITHUB_TOKEN=${env:GITHUB_TOKEN}'}
        hint={<SecretHint form="One NAME=value per line." text={input.variables} />}
        problem={problems.variables}
        onChange={(variables) => onChange({ variables })}
      />
    </>
  );
}

/** Says what happens to secrets. */
function SecretHint({ form, text }: { form: string; text: string }) {
  const { status } = useStores();
  const vault = useResource(status).data?.vault;
  return (
    <>
      {form}{' '}
      {vault?.persistent === false
        ? 'This computer has no keyring, so secrets stay in plain text; use a placeholder instead.'
        : `Secrets move to the vault${vault ? ` (${vault.label})` : ''} when you save.`}
      {text.includes('«hidden-') && ' «hidden-1» is a stored secret. Leave it to keep the secret.'}
    </>
  );
}

function UrlFields({ input, problems, onChange }: ConnectionFieldsProps) {
  return (
    <>
      <TextInput
        mono
        label="URL"
        value={input.url}
        placeholder="https://mcp.example.com/mcp"
        problem={problems.url}
        onChange={(url) => onChange({ url })}
      />
      <Select
        label="Transport"
        value={input.transport}
        options={[
          ['http', 'Streamable HTTP'],
          ['sse', 'SSE (older servers)'],
        ]}
        onChange={(transport) => onChange({ transport: transport as 'http' | 'sse' })}
      />
      <TextInput
        mono
        rows={2}
        optional
        label="Headers"
        value={input.variables}
        placeholder={'Authorization=Bearer ${env:API_TOKEN}'}
        hint={<SecretHint form="One Name=value per line." text={input.variables} />}
        problem={problems.variables}
        onChange={(variables) => onChange({ variables })}
      />
    </>
  );
}

function PasteField({ input, problems, onChange }: ConnectionFieldsProps) {
  return (
    <TextInput
      mono
      rows={10}
      onFile={(pasted) => onChange({ pasted })}
      label="From the server’s documentation"
      value={input.pasted}
      placeholder={
        '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-memory"]\n    }\n  }\n}'
      }
      hint="JSON, TOML, YAML, a URL, a command line, a command such as claude mcp add, or an install link. You can also drop a file."
      problem={problems.pasted}
      onChange={(pasted) => onChange({ pasted })}
    />
  );
}
