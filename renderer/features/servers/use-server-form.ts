/** The input of the server dialog: parses, tests and saves it. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { uniqueName } from '../../../shared/command-line.ts';
import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig, ServerTrial } from '../../../shared/model/server.ts';
import { useResource } from '../../stores/resource.ts';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import {
  editConfig,
  emptyInput,
  inputFromConfig,
  type Problems,
  parseServerInput,
  type ServerInput,
} from './server-input.ts';

export interface ServerFormOptions {
  /** The server to edit; absent for a new server. */
  config?: ServerConfig;
  /** Adds a server like `config` instead of editing it. */
  isCopy?: boolean;
  /** For a new server: a command line, a URL or a snippet. */
  pasted?: string | undefined;
  onClose(): void;
  /** True keeps the current view open after saving. */
  stays?: boolean;
}

interface ServerForm {
  input: ServerInput;
  change(part: Partial<ServerInput>): void;
  /** True if the user would lose input. */
  isChanged: boolean;
  isRenamed: boolean;
  problems: Problems;
  /** The form's element; its first field with a problem gets the focus. */
  form: RefObject<HTMLFormElement | null>;
  submit(): Promise<void>;
  isSaving: boolean;
  test(): Promise<void>;
  isTesting: boolean;
  trial: ServerTrial | undefined;
}

export function useServerForm({
  config,
  isCopy = false,
  pasted,
  onClose,
  stays = false,
}: ServerFormOptions): ServerForm {
  const { link, toasts, servers } = useStores();
  const existing = useResource(servers).data ?? [];
  const taken = existing.map(({ id }) => id);
  const [input, setInput] = useState<ServerInput>(() => {
    if (!config) return pasted === undefined ? emptyInput : { ...emptyInput, kind: 'paste', pasted };
    return inputFromConfig(isCopy ? { ...config, name: uniqueName(config.name, [...taken, config.name]) } : config);
  });
  const [trial, setTrial] = useState<ServerTrial>();
  const [isTesting, setTesting] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, setSaving] = useState(false);
  const [initial] = useState(input);
  const isChanged = JSON.stringify(input) !== JSON.stringify({ ...initial, kind: input.kind });
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

  const name = input.name.trim();
  const isRenamed = config !== undefined && !isCopy && name !== config.name;
  const based = isCopy && config ? { basedOn: config.name } : {};

  async function save(list: readonly ServerConfig[]): Promise<void> {
    setSaving(true);
    try {
      if (isRenamed && name !== savedName.current) {
        await link.call('servers.rename', { server: savedName.current, name });
        // If saving fails, the next attempt starts from this name.
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

  async function parsed(): Promise<readonly ServerConfig[] | undefined> {
    if (input.kind === 'paste')
      return link.call('import.parse', { text: input.pasted }).then(
        ({ servers: pasted }) => pasted,
        (error: unknown) => {
          setProblems({ pasted: toFailure(error).message });
          return undefined;
        },
      );
    const result = config
      ? editConfig(
          { ...config, name },
          input,
          taken.filter((other) => isCopy || other !== config.name),
        )
      : parseServerInput(input, taken);
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

  return { input, change, isChanged, isRenamed, problems, form, submit, isSaving, test, isTesting, trial };
}
