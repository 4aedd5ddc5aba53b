/** A dialog that adds or edits a server: a command line, a URL, or a snippet from the server's documentation. */
import { FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig, ServerTrial } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { Segments, TextInput } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { useResource } from '../../stores/resource.ts';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { BundleButton } from '../browse/bundle.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { uniqueName } from './command-line.ts';
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
import { TrialResult } from './server-trial.tsx';
import { withYamlAsJson } from './yaml-input.ts';

interface ServerDialogProps {
  /** The server to edit; absent for a new server. */
  config?: ServerConfig;
  /** Adds a server like `config` instead of editing it. */
  isCopy?: boolean;
  onClose(): void;
  /** True keeps the current view open after saving. */
  stays?: boolean;
}

export function ServerDialog({ config, isCopy = false, onClose, stays = false }: ServerDialogProps) {
  const { link, toasts, servers } = useStores();
  const existing = useResource(servers).data ?? [];
  const taken = existing.map(({ id }) => id);
  const [input, setInput] = useState<ServerInput>(() => {
    if (!config) return emptyInput;
    return inputFromConfig(isCopy ? { ...config, name: uniqueName(config.name, [...taken, config.name]) } : config);
  });
  const [trial, setTrial] = useState<ServerTrial>();
  const [isTesting, setTesting] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, setSaving] = useState(false);
  const [initial] = useState(input);
  const [isLeaving, setLeaving] = useState(false);
  const isChanged = JSON.stringify(input) !== JSON.stringify({ ...initial, kind: input.kind });
  const leave = () => (isChanged ? setLeaving(true) : onClose());
  const form = useRef<HTMLFormElement>(null);
  const savedName = useRef(config?.name ?? '');
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  const change = (part: Partial<ServerInput>) => {
    setInput({ ...input, ...part });
    setProblems({});
    setTrial(undefined);
  };

  async function save(list: readonly ServerConfig[]): Promise<void> {
    setSaving(true);
    try {
      if (isRenamed && name !== savedName.current) {
        await link.call('servers.rename', { server: savedName.current, name });
        // If saving fails, the next attempt starts from here.
        savedName.current = name;
      }
      for (const server of list) await link.call('servers.save', { server, ...based });
      await servers.load();
      const saved =
        list.length === 1
          ? t('“{server}”', { server: list[0]?.name ?? '' })
          : t('{count, plural, one {# server} other {# servers}}', { count: list.length });
      const renamed = list.find(({ name }) => /-\d+$/.test(name) && taken.includes(name.replace(/-\d+$/, '')));
      const existing = renamed?.name.replace(/-\d+$/, '');
      if (config && !isCopy) toasts.success(t('Saved {saved}.', { saved }));
      else if (existing === undefined) toasts.success(t('Added {saved}.', { saved }));
      else toasts.success(t('Added {saved}. “{existing}” already exists.', { saved, existing }));
      onClose();
      // Saving starts the server. Its status shows whether the start succeeds.
      if (list[0] && !stays) navigate('servers', list[0].name);
    } catch (error) {
      setProblems({ [input.kind]: toFailure(error).message });
    } finally {
      setSaving(false);
    }
  }

  const name = input.name.trim();
  const isRenamed = config !== undefined && !isCopy && name !== config.name;
  const based = isCopy && config ? { basedOn: config.name } : {};

  async function parsed(): Promise<readonly ServerConfig[] | undefined> {
    const pasted = input.kind === 'paste' ? await withYamlAsJson(input.pasted) : input.pasted;
    const result = config
      ? editConfig(
          { ...config, name },
          input,
          taken.filter((other) => isCopy || other !== config.name),
        )
      : parseServerInput({ ...input, pasted }, taken);
    if (result.ok) return result.servers;
    setProblems(result.problems);
    return undefined;
  }
  async function submit(): Promise<void> {
    const list = await parsed();
    if (list) await save(list);
  }
  async function test(): Promise<void> {
    const [server] = (await parsed()) ?? [];
    if (!server) return;
    setTesting(true);
    const basedOn = config?.name;
    setTrial(await toasts.attempt(() => link.call('servers.test', { server, ...(basedOn && { basedOn }) })));
    setTesting(false);
  }

  return (
    <Dialog
      title={
        !config
          ? t('Add a server')
          : isCopy
            ? t('Duplicate {server}', { server: config.name })
            : t('Edit {server}', { server: config.name })
      }
      onClose={leave}
    >
      {isLeaving && (
        <ConfirmDialog
          title={t('Discard your input?')}
          action={t('Discard')}
          onClose={() => setLeaving(false)}
          onConfirm={onClose}
        >
          <p>{t('The server is not saved yet.')}</p>
        </ConfirmDialog>
      )}
      <form
        ref={form}
        className={dialogStyles.dialogForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={`${dialogStyles.dialogBody} stack`}>
          {!config && (
            <Segments
              label={t('Connection type')}
              value={input.kind}
              options={[
                ['command', t('Command')],
                ['url', 'URL'],
                ['paste', t('Paste')],
              ]}
              onChange={(kind) => change({ kind: kind as InputKind })}
            />
          )}
          <ConnectionFields input={input} problems={problems} onChange={change} />
          {input.kind !== 'paste' && (
            <TextInput
              label={t('Name')}
              value={input.name}
              placeholder={config ? undefined : t('Generated if empty')}
              hint={isRenamed && t('Rules and profiles are adjusted. The server’s grants and sign-in are removed.')}
              problem={problems.name}
              onChange={(name) => change({ name })}
            />
          )}
          {input.kind !== 'paste' && (
            <AdvancedFields key={input.kind} input={input} problems={problems} onChange={change} />
          )}
          <div aria-live="polite">{trial && <TrialResult trial={trial} />}</div>
        </div>
        <footer className={dialogStyles.dialogFoot}>
          {!config && <BundleButton onChosen={onClose} />}
          <Button icon={FlaskConical} busy={isTesting} onClick={() => void test()}>
            {isTesting ? t('Starting…') : t('Test')}
          </Button>
          <Button onClick={leave}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" busy={isSaving}>
            {config && !isCopy ? t('Save') : t('Add')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
