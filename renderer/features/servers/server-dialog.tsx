/** A dialog that adds or edits a server: a command line, a URL, or a snippet from the server's documentation. */
import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { Segments, TextInput } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { useResource } from '../../stores/resource.ts';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import {
  editConfig,
  emptyInput,
  type InputKind,
  inputFromConfig,
  type Problems,
  parseServerInput,
  type ServerInput,
} from './server-input.ts';

interface ServerDialogProps {
  /** The server to edit; absent for a new server. */
  config?: ServerConfig;
  onClose(): void;
  /** The view stays open after saving. */
  stays?: boolean;
}

export function ServerDialog({ config, onClose, stays = false }: ServerDialogProps) {
  const { link, toasts, servers } = useStores();
  const existing = useResource(servers).data ?? [];
  const taken = existing.map(({ id }) => id);
  const [input, setInput] = useState<ServerInput>(() => (config ? inputFromConfig(config) : emptyInput));
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, setSaving] = useState(false);
  const [initial] = useState(input);
  const [isLeaving, setLeaving] = useState(false);
  const isChanged = JSON.stringify(input) !== JSON.stringify({ ...initial, kind: input.kind });
  const leave = () => (isChanged ? setLeaving(true) : onClose());
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  const change = (part: Partial<ServerInput>) => {
    setInput({ ...input, ...part });
    setProblems({});
  };

  async function save(list: readonly ServerConfig[]): Promise<void> {
    setSaving(true);
    try {
      for (const server of list) await link.call('servers.save', { server });
      await servers.load();
      const saved = list.length === 1 ? `“${list[0]?.name}”` : `${list.length} servers`;
      const renamed = list.find(({ name }) => /-\d+$/.test(name) && taken.includes(name.replace(/-\d+$/, '')));
      const why = renamed && ` “${renamed.name.replace(/-\d+$/, '')}” already exists.`;
      toasts.success(config ? `Saved ${saved}.` : `Added ${saved}.${why ?? ''}`);
      onClose();
      // Saving starts the server. Its status shows whether the start succeeds.
      if (list[0] && !stays) navigate('servers', list[0].name);
    } catch (error) {
      setProblems({ [input.kind]: toFailure(error).message });
    } finally {
      setSaving(false);
    }
  }

  function submit(): void {
    const parsed = config ? editConfig(config, input) : parseServerInput(input, taken);
    if (parsed.ok) void save(parsed.servers);
    else setProblems(parsed.problems);
  }

  return (
    <Dialog title={config ? `Edit ${config.name}` : 'Add a server'} onClose={leave}>
      {isLeaving && (
        <ConfirmDialog
          title="Discard your input?"
          action="Discard"
          onClose={() => setLeaving(false)}
          onConfirm={onClose}
        >
          <p>The server is not saved yet.</p>
        </ConfirmDialog>
      )}
      <form
        ref={form}
        className={dialogStyles.dialogForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={`${dialogStyles.dialogBody} stack`}>
          {!config && (
            <Segments
              label="Connection type"
              value={input.kind}
              options={[
                ['command', 'Command'],
                ['url', 'URL'],
                ['paste', 'Paste'],
              ]}
              onChange={(kind) => change({ kind: kind as InputKind })}
            />
          )}
          <ConnectionFields input={input} problems={problems} onChange={change} />
          {input.kind !== 'paste' && !config && (
            <TextInput
              label="Name"
              value={input.name}
              placeholder="Generated if empty"
              problem={problems.name}
              onChange={(name) => change({ name })}
            />
          )}
          {input.kind !== 'paste' && (
            <AdvancedFields key={input.kind} input={input} problems={problems} onChange={change} />
          )}
        </div>
        <footer className={dialogStyles.dialogFoot}>
          <Button onClick={leave}>Cancel</Button>
          <Button look="primary" type="submit" busy={isSaving}>
            {config ? 'Save' : 'Add'}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
