/** Named sets of servers and tools, chosen for an app when it is connected. */
import { Layers, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Mode, type Profile, profileSchema } from '../../shared/model.ts';
import { Badge } from '../parts/badge.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Select, TextInput } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

const blank: Profile = { name: '', servers: [], tags: [] };

export function Profiles() {
  const { link, notices, profiles } = useStores();
  const { data, failure } = useResource(profiles);
  const [editing, setEditing] = useState<Profile>();

  async function change(action: () => Promise<void>, done: string): Promise<void> {
    await notices.attempt(() => action().then(() => profiles.load()), done);
  }
  if (failure && !data) return <FailureBox failure={failure} onRetry={() => void profiles.load()} />;
  if (!data) return <Skeleton label="profiles" />;
  return (
    <Section
      title="Profiles"
      aside={
        <Button icon={Plus} onClick={() => setEditing(blank)}>
          Add profile
        </Button>
      }
    >
      {data.length === 0 && (
        <Empty icon={Layers} title="No profiles">
          <p>A profile is a set of servers and tags. Choose one when you connect an app, and it sees only that.</p>
        </Empty>
      )}
      {data.length > 0 && (
        <ul className="rows rows-card">
          {data.map(({ origin, tools, unknown, ...profile }) => (
            <li key={profile.name} className="row row-still row-middle">
              <span className="row-main">
                <span className="row-title">
                  {profile.name}
                  {unknown.length > 0 && <Badge tone="warn">{`No such server: ${unknown.join(', ')}`}</Badge>}
                </span>
                {profile.description && (
                  <span className="row-wrap">
                    <VisibleText text={profile.description} />
                  </span>
                )}
                <span className="row-wrap">
                  {profile.servers.length === 0 ? 'All servers' : profile.servers.join(', ')}
                  {profile.tags.length > 0 && `, tagged ${profile.tags.join(' or ')}`}
                </span>
              </span>
              <span className="row-count">{count(tools, 'tool')}</span>
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
                        `${profile.name} was removed.`,
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
            void change(() => link.call('profiles.save', { profile }), `${profile.name} was saved.`);
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
  const known = useResource(servers).data ?? [];
  const [name, setName] = useState(profile.name);
  const [chosen, setChosen] = useState<readonly string[]>(profile.servers);
  const [tags, setTags] = useState(profile.tags.join(', '));
  const [mode, setMode] = useState<string>(profile.mode ?? '');
  const isNameGood = profileSchema.shape.name.safeParse(name).success;
  const names = [...new Set([...known.map(({ id }) => id), ...profile.servers])];

  function save(): void {
    const { description } = profile;
    onSave({
      name,
      ...(description !== undefined && { description }),
      servers: [...chosen],
      tags: tags.split(',').flatMap((tag) => tag.trim() || []),
      ...(mode && { mode: mode as Mode }),
    });
  }
  return (
    <Dialog title={profile.name ? `Edit ${profile.name}` : 'New profile'} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNameGood) save();
        }}
      >
        <div className="dialog-body stack">
          {!profile.name && (
            <TextInput
              label="Name"
              value={name}
              placeholder="work"
              problem={name && !isNameGood ? 'Letters, digits, dots, dashes and underscores only.' : undefined}
              onChange={setName}
            />
          )}
          <fieldset className="field choices">
            <legend>Servers</legend>
            <div className="field-hint">None chosen means all of them.</div>
            {names.map((id) => (
              <label key={id} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                  }
                />
                <span>
                  <VisibleText text={id} />
                </span>
              </label>
            ))}
          </fieldset>
          <TextInput
            optional
            label="Only tools tagged"
            value={tags}
            placeholder="read, billing"
            hint="Separated by commas. Rules give tools their tags."
            onChange={setTags}
          />
          <Select
            label="What its apps see"
            value={mode}
            options={[
              ['', 'As the app asks'],
              ['lazy', 'Five tools'],
              ['hybrid', 'Pinned + five'],
              ['full', 'All tools'],
            ]}
            onChange={setMode}
          />
        </div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!isNameGood}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
