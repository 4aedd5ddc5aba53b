/** The fields that few servers need, out of sight until somebody wants them or one of them is wrong. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { TextInput } from '../parts/controls.tsx';
import { FieldInput } from '../parts/field-input.tsx';
import { advancedFields } from './server-advanced.ts';
import type { Entered, Problems } from './server-entry.ts';

interface AdvancedFieldsProps {
  entered: Entered;
  problems: Problems;
  onChange(part: Partial<Entered>): void;
}

export function AdvancedFields({ entered, problems, onChange }: AdvancedFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const isWrong = advancedFields.some((field) => problems[field] !== undefined);
  return (
    <details className="disclosure" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="icon" aria-hidden />
        Advanced
      </summary>
      <div className="disclosure-body stack">
        {entered.kind === 'command' ? (
          <TextInput
            short
            optional
            label="Instances"
            value={entered.instances}
            placeholder="1"
            hint="So many processes share the calls, at most 16."
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
              value={entered.replicas}
              placeholder="https://mcp-2.example.com/mcp"
              hint="Further addresses of the same server, one per line. They share the calls."
              problem={problems.replicas}
              onChange={(replicas) => onChange({ replicas })}
            />
            <SignInClient entered={entered} problems={problems} onChange={onChange} />
          </>
        )}
      </div>
    </details>
  );
}

function SignInClient({ entered, problems, onChange }: AdvancedFieldsProps) {
  return (
    <fieldset className="field-group stack" aria-describedby="oauth-client-hint">
      <legend>OAuth client</legend>
      <p id="oauth-client-hint" className="field-hint">
        Only where a server lets no app register itself: what you registered there by hand.
      </p>
      <TextInput
        mono
        label="Client ID"
        value={entered.clientId}
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
          description: 'Only if the client has one. It is kept in the vault.',
        }}
        value={entered.clientSecret}
        problem={problems.clientSecret}
        onChange={(clientSecret) => onChange({ clientSecret: typeof clientSecret === 'string' ? clientSecret : '' })}
      />
      <TextInput
        mono
        optional
        label="Scopes"
        value={entered.scopes}
        placeholder="channels:read chat:write"
        hint="Separated by spaces. Asked for instead of what the server names."
        problem={problems.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      <TextInput
        mono
        optional
        label="Redirect address"
        value={entered.redirectUrl}
        placeholder="http://localhost:3118/callback"
        hint="The one that the client was registered with, on this machine and with its port."
        problem={problems.redirectUrl}
        onChange={(redirectUrl) => onChange({ redirectUrl })}
      />
    </fieldset>
  );
}
