/** Profiles: named sets of servers and tools that a client can be limited to. */
import { Layers, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Mode } from '../../../shared/model/call.ts';
import { type Profile, profileSchema } from '../../../shared/model/profile.ts';
import { categorySchema, safetyLevelSchema } from '../../../shared/model/tool.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { FilterInput, Select, TextInput } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { Dialog } from '../../components/dialog.tsx';
import { byName, count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, FailureBox, Skeleton } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hasWords, maxUnfiltered, wordsOf } from '../../components/words.ts';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { ReadToolSwitch } from './mode-choice.tsx';

const emptyProfile: Profile = { name: '', servers: [], tags: [] };

export function Profiles() {
  const { link, toasts, profiles } = useStores();
  const { data, failure } = useResource(profiles);
  const [editing, setEditing] = useState<Profile>();

  async function change(action: () => Promise<void>, done: string): Promise<void> {
    await toasts.attempt(() => action().then(() => profiles.load()), done);
  }
  if (failure && !data) return <FailureBox failure={failure} onRetry={() => void profiles.load()} />;
  if (!data) return <Skeleton label="profiles" />;
  return (
    <Section
      title="Profiles"
      aside={
        <Button icon={Plus} onClick={() => setEditing(emptyProfile)}>
          Add profile
        </Button>
      }
    >
      {data.length === 0 && (
        <Empty icon={Layers} title="No profiles">
          <p>A profile is a set of servers and tools. A client that you connect with a profile sees nothing else.</p>
        </Empty>
      )}
      {data.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
          {data.map(({ origin, tools, unknown, ...profile }) => (
            <li key={profile.name} className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
              <span className={rowsStyles.rowMain}>
                <span className={rowsStyles.rowTitle}>
                  {profile.name}
                  {unknown.length > 0 && <Badge tone="warn">{`Unknown server: ${unknown.join(', ')}`}</Badge>}
                </span>
                {profile.description && (
                  <span className={rowsStyles.rowWrap}>
                    <VisibleText text={profile.description} />
                  </span>
                )}
                <span className={rowsStyles.rowWrap}>
                  {profile.servers.length === 0 ? 'All servers' : profile.servers.join(', ')}
                  {profile.tags.length > 0 && `, tagged ${profile.tags.join(' or ')}`}
                  {profile.safety && `, only ${profile.safety.join(' and ')}`}
                  {profile.category && `, category ${profile.category.join(' or ')}`}
                </span>
              </span>
              <span className={rowsStyles.rowCount}>{count(tools, 'tool')}</span>
              {origin === 'config' ? (
                <span className="muted small">from the config file</span>
              ) : (
                <>
                  <IconButton label={`Edit ${profile.name}`} icon={Pencil} onClick={() => setEditing(profile)} />
                  <IconButton
                    label={`Remove ${profile.name}`}
                    icon={Trash2}
                    onClick={() =>
                      void change(
                        () => link.call('profiles.remove', { name: profile.name }),
                        `Removed profile “${profile.name}”.`,
                      )
                    }
                  />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {editing && (
        <ProfileEditor
          profile={editing}
          onClose={() => setEditing(undefined)}
          onSave={(profile) => {
            setEditing(undefined);
            void change(() => link.call('profiles.save', { profile }), `Profile “${profile.name}” saved.`);
          }}
        />
      )}
    </Section>
  );
}

interface ProfileEditorProps {
  profile: Profile;
  onSave(profile: Profile): void;
  onClose(): void;
}

function ProfileEditor({ profile, onSave, onClose }: ProfileEditorProps) {
  const { servers } = useStores();
  const allServers = useResource(servers).data ?? [];
  const [name, setName] = useState(profile.name);
  const [selected, setSelected] = useState(profile.servers);
  const [tags, setTags] = useState(profile.tags.join(', '));
  const [safety, setSafety] = useState(profile.safety ?? []);
  const [category, setCategory] = useState(profile.category ?? []);
  const [mode, setMode] = useState<string>(profile.mode ?? '');
  const [readTool, setReadTool] = useState(profile.readTool ?? false);
  const isNameValid = profileSchema.shape.name.safeParse(name).success;
  const names = [...new Set([...allServers.map(({ id }) => id), ...profile.servers])].sort(byName);
  const [filter, setFilter] = useState('');
  const shown = names.filter((id) => hasWords(id.toLowerCase(), wordsOf(filter)));

  function save(): void {
    const { description } = profile;
    onSave({
      name,
      description,
      servers: selected,
      tags: tags.split(',').flatMap((tag) => tag.trim() || []),
      ...(safety.length > 0 && { safety }),
      ...(category.length > 0 && { category }),
      mode: mode ? (mode as Mode) : undefined,
      readTool: readTool || undefined,
    });
  }
  return (
    <Dialog title={profile.name ? `Edit ${profile.name}` : 'New profile'} onClose={onClose}>
      <form
        className={dialogStyles.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNameValid) save();
        }}
      >
        <div className={`${dialogStyles.dialogBody} stack`}>
          {!profile.name && (
            <TextInput
              label="Name"
              value={name}
              placeholder="work"
              problem={name && !isNameValid ? 'Use only letters, digits, dots, dashes and underscores.' : undefined}
              onChange={setName}
            />
          )}
          <fieldset className="field choices">
            <legend>Servers</legend>
            <div className="field-hint">Select none to include all servers.</div>
            {names.length > maxUnfiltered && <FilterInput label="Filter servers" value={filter} onChange={setFilter} />}
            <Checks options={shown} selected={selected} onChange={setSelected} />
          </fieldset>
          <TextInput
            optional
            label="Only tools with these tags"
            value={tags}
            placeholder="read, billing"
            hint="Separated by commas. Rules assign tags to tools."
            onChange={setTags}
          />
          <fieldset className="field choices">
            <legend>Safety levels</legend>
            <div className="field-hint">Select none to include all tools.</div>
            <Checks options={safetyLevelSchema.options} selected={safety} onChange={setSafety} />
          </fieldset>
          <fieldset className="field choices">
            <legend>Categories</legend>
            <div className="field-hint">Select none to include all tools.</div>
            <Checks options={categorySchema.options} selected={category} onChange={setCategory} />
          </fieldset>
          <Select
            label="Tool list"
            value={mode}
            options={[
              ['', 'As the client requests'],
              ['lazy', 'Five tools'],
              ['hybrid', 'Five + pinned'],
              ['full', 'All tools'],
            ]}
            onChange={setMode}
          />
          {mode !== 'full' && <ReadToolSwitch checked={readTool} onChange={setReadTool} />}
        </div>
        <footer className={dialogStyles.dialogFoot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!isNameValid}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ChecksProps<T extends string> {
  options: readonly T[];
  selected: readonly T[];
  onChange(selected: T[]): void;
}

function Checks<T extends string>({ options, selected, onChange }: ChecksProps<T>) {
  return options.map((option) => (
    <label key={option} className="check">
      <input
        type="checkbox"
        checked={selected.includes(option)}
        onChange={({ target }) =>
          onChange(target.checked ? [...selected, option] : selected.filter((other) => other !== option))
        }
      />
      <span>
        <VisibleText text={option} />
      </span>
    </label>
  ));
}
