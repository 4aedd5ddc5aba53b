/** Profiles are named sets of servers and tools. The user's own profiles override those of the config file. */
import { fail } from '../../../shared/failure.ts';
import type { Profile, ProfileView } from '../../../shared/model/profile.ts';
import { didYouMean } from '../search/similar-names.ts';
import { changeSetting, type Store } from '../settings.ts';
import type { Config } from './schema.ts';

export type Profiles = ReturnType<typeof createProfiles>;

/** The servers that the profile names and that do not exist. */
export const unknownServers = ({ servers }: Profile, known: ReadonlySet<string>): string[] =>
  servers.filter((name) => !known.has(name));

export function createProfiles(options: { store: Store; config(): Pick<Config, 'profiles' | 'folder'> }) {
  const { store, config } = options;
  const isOfFolder = (name: string) => config().folder?.profiles.includes(name) ?? false;
  const list = (): { profile: Profile; origin: ProfileView['origin'] }[] => {
    const own = store.get('profiles');
    const names = new Set(own.map(({ name }) => name));
    const others = config().profiles.filter(({ name }) => !names.has(name));
    return [
      ...own.map((profile) => ({ profile, origin: 'own' as const })),
      ...others.map((profile) => ({
        profile,
        origin: isOfFolder(profile.name) ? ('folder' as const) : ('config' as const),
      })),
    ];
  };
  return {
    list,
    find: (name: string): Profile | undefined => list().find(({ profile }) => profile.name === name)?.profile,
    /** Adds or replaces one of the user's own profiles. */
    save(profile: Profile): void {
      changeSetting(store, 'profiles', (own) => [...own.filter(({ name }) => name !== profile.name), profile]);
    },
    /** Throws PROFILE_NOT_FOUND, or CONFIG_READ_ONLY for a profile of the config file. */
    remove(name: string) {
      if (store.get('profiles').some((profile) => profile.name === name))
        return changeSetting(store, 'profiles', (own) => own.filter((profile) => profile.name !== name));
      const names = list().map(({ profile }) => profile.name);
      const place = isOfFolder(name) ? 'trusted folder' : 'config file';
      if (names.includes(name)) throw fail('CONFIG_READ_ONLY', `The profile "${name}" comes from the ${place}.`);
      throw fail('PROFILE_NOT_FOUND', `There is no profile "${name}".`, { hint: didYouMean(name, names) });
    },
  };
}
