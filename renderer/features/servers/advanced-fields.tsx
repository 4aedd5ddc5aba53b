/** Fields that few servers need. Collapsed unless opened or invalid. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { TextInput } from '../../components/controls.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { advancedFields } from './advanced-input.ts';
import type { Problems, ServerInput } from './server-input.ts';

interface AdvancedFieldsProps {
  input: ServerInput;
  problems: Problems;
  onChange(part: Partial<ServerInput>): void;
}

export function AdvancedFields({ input, problems, onChange }: AdvancedFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const isWrong = advancedFields.some((field) => problems[field] !== undefined);
  return (
    <details className="disclosure" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="icon" aria-hidden />
        Advanced
      </summary>
      <div className="disclosure-body stack">
        {input.kind === 'command' ? (
          <TextInput
            short
            optional
            label="Instances"
            value={input.instances}
            placeholder="1"
            hint="Number of processes to share calls between (1–16)."
            problem={problems.instances}
            onChange={(instances) => onChange({ instances })}
          />
        ) : (
          <>
            <TextInput
              mono
              rows={2}
              optional
              label="Replicas"
              value={input.replicas}
              placeholder="https://mcp-2.example.com/mcp"
              hint="More URLs of the same server, one per line. Calls are balanced between them."
              problem={problems.replicas}
              onChange={(replicas) => onChange({ replicas })}
            />
            <OAuthClientFields input={input} problems={problems} onChange={onChange} />
          </>
        )}
      </div>
    </details>
  );
}

function OAuthClientFields({ input, problems, onChange }: AdvancedFieldsProps) {
  return (
    <fieldset className="field-group stack" aria-describedby="oauth-client-hint">
      <legend>OAuth client</legend>
      <p id="oauth-client-hint" className="field-hint">
        Only if the server requires a pre-registered OAuth client.
      </p>
      <TextInput
        mono
        label="Client ID"
        value={input.clientId}
        problem={problems.clientId}
        onChange={(clientId) => onChange({ clientId })}
      />
      <FieldInput
        mono
        field={{
          name: 'clientSecret',
          label: 'Client secret',
          kind: 'secret',
          required: false,
          description: 'Only for confidential clients. Stored in the vault.',
        }}
        value={input.clientSecret}
        problem={problems.clientSecret}
        onChange={(clientSecret) => onChange({ clientSecret: typeof clientSecret === 'string' ? clientSecret : '' })}
      />
      <TextInput
        mono
        optional
        label="Scopes"
        value={input.scopes}
        placeholder="channels:read chat:write"
        hint="Separated by spaces. Replaces the scopes that the server requests."
        problem={problems.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      <TextInput
        mono
        optional
        label="Redirect URL"
        value={input.redirectUrl}
        placeholder="http://localhost:3118/callback"
        hint="The URL that is registered for the client: a loopback URL with a port."
        problem={problems.redirectUrl}
        onChange={(redirectUrl) => onChange({ redirectUrl })}
      />
    </fieldset>
  );
}
