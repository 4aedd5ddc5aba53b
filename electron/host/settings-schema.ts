/** The types of the stored settings. */
import * as z from 'zod';
import { routingSchema } from '../../shared/model/call.ts';
import { setupStepSchema } from '../../shared/model/home.ts';
import { profileSchema } from '../../shared/model/profile.ts';
import { conditionSchema, grantScopeSchema, knownDestinationSchema } from '../../shared/model/question.ts';
import { overrideSchema, ownRuleSchema } from '../../shared/model/rule.ts';
import { historyMonthsSchema, resultDaysSchema } from '../../shared/model/setting.ts';
import { tokenKindSchema } from '../../shared/model/token.ts';
import type { Settings } from '../core/host.ts';

const texts = z.array(z.string());
const owner = { identity: z.string().optional(), connection: z.string().optional() };

export const settingSchemas: Record<keyof Settings, z.ZodType> = {
  servers: z.array(
    z.looseObject({ name: z.string().min(1), enabled: z.boolean().optional(), connection: z.looseObject({}) }),
  ),
  rules: z.array(ownRuleSchema),
  overrides: z.array(overrideSchema),
  disabledServers: texts,
  serverTags: z.array(z.looseObject({ server: z.string(), tags: texts })),
  profiles: z.array(profileSchema),
  grants: z.array(
    z.looseObject({
      ...owner,
      id: z.string(),
      client: z.string(),
      server: z.string(),
      covers: z.enum(['tool', 'acts']).optional(),
      tool: z.string(),
      fingerprint: z.string(),
      conditions: z.array(conditionSchema),
      choices: z.array(conditionSchema).optional(),
      argumentNames: texts.optional(),
      destinations: z.literal('known').optional(),
      scope: grantScopeSchema.exclude(['once']),
      expiresAt: z.number().optional(),
      grantedAt: z.number(),
    }),
  ),
  knownDestinations: z.array(knownDestinationSchema.extend(owner)),
  routing: z.record(z.string(), routingSchema),
  batch: z.record(z.string(), z.boolean()),
  enableRequests: z.enum(['never', 'notify', 'ask']),
  userSettings: z.strictObject({
    maxResultCharacters: z.number().optional(),
    questionTimeoutMs: z.number().optional(),
    http: z.boolean().optional(),
    historyMonths: historyMonthsSchema.optional(),
    resultDays: resultDaysSchema.optional(),
    updates: z.boolean().optional(),
  }),
  imports: z.array(z.looseObject({ at: z.number(), servers: texts })),
  seenImports: texts,
  registries: texts,
  lastConnections: z.record(z.string(), z.number()),
  eras: z.record(
    z.string(),
    z.looseObject({
      era: z.enum(['legacy', 'modern']),
      usesRoots: z.boolean().optional(),
      keepsState: z.boolean().optional(),
    }),
  ),
  clientTokens: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      kind: tokenKindSchema.optional(),
      profile: z.string().optional(),
      hash: z.string(),
      createdAt: z.number(),
    }),
  ),
  setupStep: setupStepSchema.optional(),
  windowState: z.record(z.string(), z.unknown()),
};
