/** How Toolkeep connects to a server: a command line, a URL, or a snippet from the server's documentation. */
import { hasHiddenSecret } from '../../../shared/hidden-secret.ts';
import { Select, TextInput } from '../../components/controls.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import type { Problems, ServerInput } from './server-input.ts';
import { VariableRows } from './variable-rows.tsx';

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
        label={t('Command line')}
        value={input.command}
        // untranslated: code
        placeholder="npx -y @modelcontextprotocol/server-filesystem ~/Documents"
        hint={t("As you would type it in a terminal. $'{HOME}' and ~ are expanded when the server starts.")}
        problem={problems.command}
        onChange={(command) => onChange({ command })}
      />
      <VariableRows
        label={t('Environment variables')}
        rowLabel={(number) => t('Variable {number}', { number })}
        value={input.variables}
        examples={['GITHUB_TOKEN', '${env:GITHUB_TOKEN}']}
        hint={<SecretHint text={input.variables} />}
        problem={problems.variables}
        onChange={(variables) => onChange({ variables })}
      />
    </>
  );
}

/** Says what happens to secrets. */
function SecretHint({ text }: { text: string }) {
  const { status } = useStores();
  const vault = useResource(status).data?.vault;
  return (
    <>
      {vault?.persistent === false
        ? t('This computer has no keyring, so secrets stay in plain text; use a placeholder instead.')
        : vault
          ? t('Secrets move to the vault ({vault}) when you save.', { vault: vault.label })
          : t('Secrets move to the vault when you save.')}
      {hasHiddenSecret(text) && <> {t('A stored secret is kept unless you type another value.')}</>}
    </>
  );
}

function UrlFields({ input, problems, onChange }: ConnectionFieldsProps) {
  return (
    <>
      <TextInput
        mono
        label={t('URL')}
        value={input.url}
        placeholder="https://mcp.example.com/mcp"
        problem={problems.url}
        onChange={(url) => onChange({ url })}
      />
      <Select
        label={t('Transport')}
        value={input.transport}
        options={[
          ['http', t('Streamable HTTP')],
          ['sse', t('SSE (older servers)')],
        ]}
        onChange={(transport) => onChange({ transport: transport as 'http' | 'sse' })}
      />
      <VariableRows
        label={t('Headers')}
        rowLabel={(number) => t('Header {number}', { number })}
        value={input.variables}
        // untranslated: code
        examples={['Authorization', 'Bearer ${secret:API_TOKEN}']}
        hint={<SecretHint text={input.variables} />}
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
      label={t('From the server’s documentation')}
      value={input.pasted}
      // untranslated: code
      placeholder={
        '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-memory"]\n    }\n  }\n}'
      }
      hint={t(
        'JSON, TOML, YAML, a URL, a command line, a command such as claude mcp add, or an install link. You can also drop a file.',
      )}
      problem={problems.pasted}
      onChange={(pasted) => onChange({ pasted })}
    />
  );
}
