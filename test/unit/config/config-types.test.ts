/** The types of config files match the schema: the type check of this file fails if they differ. */
import { expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type { documentSchema } from '../../../electron/core/config/schema.ts';
import type {
  ProfileEntry,
  RemoteEntry,
  RuleEntry,
  ServerEntry,
  StdioEntry,
  ToolkeepConfig,
} from '../../../electron/core/plugins/config-api.ts';

type Document = Required<Omit<z.input<typeof documentSchema>, '$schema'>>;
type Server = Document['servers'][number];
type Stdio = Extract<Server['connection'], { type: 'stdio' }>;
type Remote = Exclude<Server['connection'], Stdio>;

/** The keys that only one of them has. */
type Odd<T, S> = Exclude<keyof T, keyof S> | Exclude<keyof S, keyof T>;
/** The keys whose value in `T` the schema does not take. */
type Refused<T, S> = { [K in keyof T & keyof S]-?: NonNullable<T[K]> extends S[K] ? never : K }[keyof T & keyof S];
/** The keys with schema values that `T` lacks. Strings with a format, such as durations, are plain strings in the schema. */
type Lacking<T, S> = {
  [K in keyof T & keyof S]-?: string extends S[K]
    ? never
    : NonNullable<S[K]> extends object
      ? never
      : NonNullable<S[K]> extends T[K]
        ? never
        : K;
}[keyof T & keyof S];
type Drift<T, S> = Odd<T, S> | Refused<T, S> | Lacking<T, S>;

/** The sections of the document that are plain objects. */
type Section = {
  [K in keyof Document]: Document[K] extends readonly unknown[]
    ? never
    : Document[K] extends object
      ? string extends keyof Document[K]
        ? never
        : K
      : never;
}[keyof Document];
type SectionDrift = {
  [K in Section]: K extends keyof ToolkeepConfig ? Drift<NonNullable<ToolkeepConfig[K]>, NonNullable<Document[K]>> : K;
}[Section];

it('The types for config files have the keys and values of the schema', () => {
  expectTypeOf<Section>().extract<'approvals' | 'updates'>().toEqualTypeOf<'approvals' | 'updates'>();
  expectTypeOf<Odd<ToolkeepConfig, Document>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<Omit<ToolkeepConfig, 'servers'>, Document>>().toEqualTypeOf<never>();
  expectTypeOf<SectionDrift>().toEqualTypeOf<never>();
  expectTypeOf<Odd<ServerEntry & { name: string }, Server>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<NonNullable<ServerEntry['lifecycle']>, NonNullable<Server['lifecycle']>>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<StdioEntry, Stdio>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<RemoteEntry, Remote>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<NonNullable<RemoteEntry['oauth']>, NonNullable<Remote['oauth']>>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<RuleEntry, Document['toolRules'][number]>>().toEqualTypeOf<never>();
  expectTypeOf<Drift<ProfileEntry, Document['profiles'][string]>>().toEqualTypeOf<never>();
});
