/** Fields that few servers need. Collapsed unless opened or invalid. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Segments, TextInput } from '../../components/controls.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { t } from '../../text.tsx';
import { advancedFields } from './advanced-input.ts';
import type { Problems, ServerInput } from './server-input.ts';

interface AdvancedFieldsProps {
  input: ServerInput;
  problems: Problems;
  onChange(part: Partial<ServerInput>): void;
}

export function AdvancedFields({ input, problems, isNew, onChange }: AdvancedFieldsProps & { isNew: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const isWrong = advancedFields.some((field) => problems[field] !== undefined);
  return (
    <details className="disclosure" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="icon" aria-hidden />
        {t('Advanced')}
      </summary>
      <div className="disclosure-body stack">
        {input.kind === 'command' ? (
          <>
            <TextInput
              short
              optional
              label={t('Instances')}
              value={input.instances}
              placeholder="1"
              hint={t('Number of processes that share the calls (1–16).')}
              problem={problems.instances}
              onChange={(instances) => onChange({ instances })}
            />
            <div>
              <Segments
                label={t('Confine this server (Linux)')}
                value={input.confine}
                options={[
                  ...(isNew ? [['default', t('As for all new servers')] as const] : []),
                  ['on', t('Confine')],
                  ['off', t('Do not confine')],
                ]}
                onChange={(confine) => onChange({ confine: confine as ServerInput['confine'] })}
              />
              <p className="field-hint">
                {t(
                  'Linux only. A confined server sees only its own files and those that its settings name, and Toolkeep asks you before it reaches another host.',
                )}
              </p>
            </div>
          </>
        ) : (
          <>
            <TextInput
              mono
              rows={2}
              optional
              label={t('Replicas')}
              value={input.replicas}
              placeholder="https://mcp-2.example.com/mcp"
              hint={t('Additional URLs of the same server, one per line. Calls are balanced across all of them.')}
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
      <legend>{t('OAuth client')}</legend>
      <p id="oauth-client-hint" className="field-hint">
        {t('Only if the server requires a pre-registered OAuth client.')}
      </p>
      <TextInput
        mono
        label={t('Client ID')}
        value={input.clientId}
        problem={problems.clientId}
        onChange={(clientId) => onChange({ clientId })}
      />
      <FieldInput
        mono
        field={{
          name: 'clientSecret',
          label: t('Client secret'),
          kind: 'secret',
          required: false,
          description: t('Only for confidential clients. Stored in the vault.'),
        }}
        value={input.clientSecret}
        problem={problems.clientSecret}
        onChange={(clientSecret) => onChange({ clientSecret: typeof clientSecret === 'string' ? clientSecret : '' })}
      />
      <TextInput
        mono
        optional
        label={t('Scopes')}
        value={input.scopes}
        // untranslated: code
        placeholder="channels:read chat:write"
        hint={t('Separated by spaces. Replaces the scopes that the server requests.')}
        problem={problems.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      <TextInput
        mono
        optional
        label={t('Redirect URL')}
        value={input.redirectUrl}
        placeholder="http://localhost:3118/callback"
        hint={t('The URL registered for the client. It must be a loopback URL with a port.')}
        problem={problems.redirectUrl}
        onChange={(redirectUrl) => onChange({ redirectUrl })}
      />
    </fieldset>
  );
}
