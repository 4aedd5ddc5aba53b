/** Profiles: named sets of servers and tools that a client can be limited to. */
import { Layers, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Mode } from '../../../shared/model/call.ts';
import { type Profile, profileSchema } from '../../../shared/model/profile.ts';
import { categorySchema, safetyLevelSchema } from '../../../shared/model/tool.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Check, FilterInput, Select, TextInput, withItem } from '../../components/controls.tsx';
import { ConfirmDialog, FormDialog } from '../../components/dialog.tsx';
import { allOf, anyOf, byName, listOf } from '../../components/format.ts';
import { categoryLabels, safetyLabels } from '../../components/labels.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hasWords, maxUnfiltered, partsOf, wordsOf } from '../../components/words.ts';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { modes, ReadToolSwitch } from './mode-choice.tsx';

const emptyProfile: Profile = { name: '', servers: [], tags: [] };

export function Profiles() {
  const { link, toasts, profiles, installs } = useStores();
  const { data, failure } = useResource(profiles);
  const clients = useResource(installs).data ?? [];
  const usedBy = (name: string) => clients.filter(({ access }) => access?.profile === name).map(({ app }) => app);
  const [editing, setEditing] = useState<Profile>();
  const [removing, setRemoving] = useState<Profile>();

  const save = (profile: Profile) => link.call('profiles.save', { profile }).then(() => profiles.load());

  async function remove(profile: Profile): Promise<void> {
    const { name } = profile;
    const isRemoved = await toasts.attempt(async () => {
      await link.call('profiles.remove', { name });
      await profiles.load();
      return true;
    });
    const restored = t('Restored profile “{name}”.', { name });
    if (isRemoved) toasts.undoable(t('Removed profile “{name}”.', { name }), () => save(profile), restored);
  }
  if (!data) return <Unloaded failure={failure} label={t('Loading profiles')} onRetry={profiles.load} />;
  return (
    <Section
      title={t('Profiles')}
      aside={
        <Button icon={Plus} onClick={() => setEditing(emptyProfile)}>
          {t('Add profile')}
        </Button>
      }
    >
      {data.length === 0 && (
        <Empty
          icon={Layers}
          title={t('No profiles')}
          text={t(
            'A profile is a set of servers and tools. A client that you connect with a profile sees nothing else.',
          )}
        />
      )}
      {data.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
          {data.map(({ origin, tools, unknown, ...profile }) => (
            <li key={profile.name} className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
              <span className={rowsStyles.rowMain}>
                <span className={rowsStyles.rowTitle}>
                  {profile.name}
                  {usedBy(profile.name).length > 0 && (
                    <Badge>{t('Used by {clients}', { clients: listOf(usedBy(profile.name)) })}</Badge>
                  )}
                  {unknown.length > 0 && (
                    <Badge tone="warn">{t('Unknown server: {names}', { names: listOf(unknown) })}</Badge>
                  )}
                </span>
                {profile.description && <VisibleText as="span" className="muted small" text={profile.description} />}
                <span className="muted small">
                  {listOf(
                    [
                      profile.servers.length === 0 ? t('All servers') : listOf(profile.servers),
                      profile.tags.length > 0 && t('tagged {names}', { names: anyOf(profile.tags) }),
                      profile.safety &&
                        t('only {names}', { names: allOf(profile.safety.map((level) => safetyLabels[level])) }),
                      profile.category &&
                        t('category {names}', {
                          names: anyOf(profile.category.map((category) => categoryLabels[category])),
                        }),
                    ].filter((part) => typeof part === 'string'),
                  )}
                </span>
              </span>
              <span className={rowsStyles.rowCount}>
                {t('{count, plural, one {# tool} other {# tools}}', { count: tools })}
              </span>
              {origin !== 'own' ? (
                <span className="muted small">
                  {origin === 'folder' ? t('from the trusted folder') : t('from the config file')}
                </span>
              ) : (
                <>
                  <IconButton
                    label={t('Edit {name}', { name: profile.name })}
                    icon={Pencil}
                    onClick={() => setEditing(profile)}
                  />
                  <IconButton
                    label={t('Remove {name}', { name: profile.name })}
                    icon={Trash2}
                    onClick={() => (usedBy(profile.name).length > 0 ? setRemoving(profile) : void remove(profile))}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {removing && (
        <ConfirmDialog
          title={t('Remove profile “{name}”?', { name: removing.name })}
          action={t('Remove')}
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          {t('{clients} will have no tools until you choose another profile.', {
            clients: listOf(usedBy(removing.name)),
          })}
        </ConfirmDialog>
      )}
      {editing && (
        <ProfileEditor
          profile={editing}
          taken={data.map(({ name }) => name)}
          onClose={() => setEditing(undefined)}
          onSave={(profile) => {
            setEditing(undefined);
            void toasts.attempt(() => save(profile), t('Profile “{name}” saved.', { name: profile.name }));
          }}
        />
      )}
    </Section>
  );
}

interface ProfileEditorProps {
  profile: Profile;
  /** The names of all profiles. */
  taken: readonly string[];
  onSave(profile: Profile): void;
  onClose(): void;
}

function ProfileEditor({ profile, taken, onSave, onClose }: ProfileEditorProps) {
  const { servers } = useStores();
  const allServers = useResource(servers).data ?? [];
  const [name, setName] = useState(profile.name);
  const [selected, setSelected] = useState(profile.servers);
  const [tags, setTags] = useState(profile.tags.join(', '));
  const [safety, setSafety] = useState(profile.safety ?? []);
  const [category, setCategory] = useState(profile.category ?? []);
  const [mode, setMode] = useState<string>(profile.mode ?? '');
  const [readTool, setReadTool] = useState(profile.readTool ?? false);
  const isNameTaken = !profile.name && taken.includes(name);
  const isNameValid = profileSchema.shape.name.safeParse(name).success && !isNameTaken;
  const names = [...new Set([...allServers.map(({ id }) => id), ...profile.servers])].sort(byName);
  const [filter, setFilter] = useState('');
  const shown = names.filter((id) => hasWords(id.toLowerCase(), wordsOf(filter)));

  function save(): void {
    const { description } = profile;
    onSave({
      name,
      description,
      servers: selected,
      tags: partsOf(tags, /,/),
      ...(safety.length > 0 && { safety }),
      ...(category.length > 0 && { category }),
      mode: mode ? (mode as Mode) : undefined,
      readTool: readTool || undefined,
    });
  }
  return (
    <FormDialog
      title={profile.name ? t('Edit {name}', { name: profile.name }) : t('New profile')}
      action={t('Save')}
      disabled={!isNameValid}
      onSubmit={save}
      onClose={onClose}
    >
      {!profile.name && (
        <TextInput
          label={t('Name')}
          value={name}
          placeholder={t('work')}
          problem={
            isNameTaken
              ? t('There is already a profile with this name.')
              : name && !isNameValid
                ? t('Use only letters, digits, periods, hyphens and underscores.')
                : undefined
          }
          onChange={setName}
        />
      )}
      <fieldset className="field choices">
        <legend>{t('Servers')}</legend>
        <div className="field-hint">{t('Select none to include all servers.')}</div>
        {names.length > maxUnfiltered && (
          <FilterInput label={t('Filter servers')} value={filter} onChange={setFilter} />
        )}
        <Checks options={shown} selected={selected} onChange={setSelected} />
      </fieldset>
      <TextInput
        optional
        label={t('Only tools with these tags')}
        value={tags}
        placeholder={t('read, billing')}
        hint={t('Separated by commas. Rules assign tags to tools.')}
        onChange={setTags}
      />
      <fieldset className="field choices">
        <legend>{t('Safety levels')}</legend>
        <div className="field-hint">{t('Select none to include all tools.')}</div>
        <Checks options={safetyLevelSchema.options} labels={safetyLabels} selected={safety} onChange={setSafety} />
      </fieldset>
      <fieldset className="field choices">
        <legend>{t('Categories')}</legend>
        <div className="field-hint">{t('Select none to include all tools.')}</div>
        <Checks options={categorySchema.options} labels={categoryLabels} selected={category} onChange={setCategory} />
      </fieldset>
      <Select
        label={t('Tool list')}
        value={mode}
        options={[['', t('As the client requests')], ...modes]}
        onChange={setMode}
      />
      {mode !== 'full' && <ReadToolSwitch checked={readTool} onChange={setReadTool} />}
    </FormDialog>
  );
}

interface ChecksProps<T extends string> {
  options: readonly T[];
  /** The labels of the options; absent if the options are names. */
  labels?: Readonly<Record<T, string>>;
  selected: readonly T[];
  onChange(selected: T[]): void;
}

function Checks<T extends string>({ options, labels, selected, onChange }: ChecksProps<T>) {
  return options.map((option) => (
    <Check
      key={option}
      checked={selected.includes(option)}
      onChange={(isSet) => onChange(withItem(selected, option, isSet))}
    >
      <VisibleText text={labels?.[option] ?? option} />
    </Check>
  ));
}
