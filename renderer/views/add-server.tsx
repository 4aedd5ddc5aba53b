/** Adds a server from a command line, a web address, or the JSON that a server's own instructions show. */
import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../shared/failure.ts';
import type { ServerConfig } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Segments, Select, TextInput } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useResource } from '../stores/resource.ts';
import { go } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { AdvancedFields } from './add-server-advanced.tsx';
import { noAdvanced } from './server-advanced.ts';
import { type Entered, type EntryKind, type Problems, readEntry } from './server-entry.ts';

const empty: Entered = {
  ...{ kind: 'command', name: '', command: '', variables: '', url: '', transport: 'http', json: '' },
  ...noAdvanced,
};

export function AddServer({ onClose }: { onClose(): void }) {
  const { link, notices, servers } = useStores();
  const known = useResource(servers).data ?? [];
  const [entered, setEntered] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  const change = (part: Partial<Entered>) => {
    setEntered({ ...entered, ...part });
    setProblems({});
  };

  async function save(list: readonly ServerConfig[]): Promise<void> {
    setSaving(true);
    try {
      for (const server of list) await link.call('servers.save', { server });
      await servers.load();
      notices.good(list.length === 1 ? `${list[0]?.name} was added.` : `${list.length} servers were added.`);
      onClose();
      if (list[0]) {
        go('servers', list[0].name);
        // Adding is done; whether the server starts is shown by its status.
        if (list.length === 1) link.call('servers.restart', { server: list[0].name }).catch(() => undefined);
      }
    } catch (error) {
      setProblems({ [entered.kind]: toFailure(error).message });
    } finally {
      setSaving(false);
    }
  }

  function submit(): void {
    const read = readEntry(
      entered,
      known.map(({ id }) => id),
    );
    if (read.ok) void save(read.servers);
    else setProblems(read.problems);
  }

  return (
    <Dialog title="Add a server" onClose={onClose}>
      <form
        ref={form}
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="dialog-body stack">
          <Segments
            label="How the server is reached"
            value={entered.kind}
            options={[
              ['command', 'Command'],
              ['url', 'Web address'],
              ['json', 'Paste JSON'],
            ]}
            onChange={(kind) => change({ kind: kind as EntryKind })}
          />
          {entered.kind === 'command' && (
            <>
              <TextInput
                mono
                label="Command line"
                value={entered.command}
                placeholder="npx -y @modelcontextprotocol/server-filesystem ~/Documents"
                hint="As you would type it in a terminal. Placeholders such as ${HOME} and ~ are filled in when it starts."
                problem={problems.command}
                onChange={(command) => change({ command })}
              />
              <TextInput
                mono
                rows={3}
                optional
                label="Environment variables"
                value={entered.variables}
                placeholder={'GITHUB_TOKEN=${env:GITHUB_TOKEN}'}
                hint="One NAME=value per line. Prefer a placeholder over a secret in plain text."
                problem={problems.variables}
                onChange={(variables) => change({ variables })}
              />
            </>
          )}
          {entered.kind === 'url' && (
            <>
              <TextInput
                mono
                label="Address"
                value={entered.url}
                placeholder="https://mcp.example.com/mcp"
                problem={problems.url}
                onChange={(url) => change({ url })}
              />
              <Select
                label="Transport"
                value={entered.transport}
                options={[
                  ['http', 'Streamable HTTP'],
                  ['sse', 'SSE (older servers)'],
                ]}
                onChange={(transport) => change({ transport: transport as 'http' | 'sse' })}
              />
              <TextInput
                mono
                rows={2}
                optional
                label="Headers"
                value={entered.variables}
                placeholder={'Authorization=Bearer ${env:API_TOKEN}'}
                hint="One Name=value per line."
                problem={problems.variables}
                onChange={(variables) => change({ variables })}
              />
            </>
          )}
          {entered.kind === 'json' && (
            <TextInput
              mono
              rows={10}
              label="JSON from the server’s instructions"
              value={entered.json}
              placeholder={
                '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-memory"]\n    }\n  }\n}'
              }
              hint="Comments and trailing commas are fine. Several servers at once are fine too."
              problem={problems.json}
              onChange={(json) => change({ json })}
            />
          )}
          {entered.kind !== 'json' && (
            <TextInput
              label="Name"
              value={entered.name}
              placeholder="Chosen for you when left empty"
              problem={problems.name}
              onChange={(name) => change({ name })}
            />
          )}
          {entered.kind !== 'json' && (
            <AdvancedFields key={entered.kind} entered={entered} problems={problems} onChange={change} />
          )}
        </div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={isSaving}>
            Add
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
